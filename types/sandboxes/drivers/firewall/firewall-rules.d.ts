/** An address and a port of this host. */
export interface OpenPort {
    readonly address: string;
    readonly family: 4 | 6;
    readonly port: number;
}
/** A sandbox's user, and where its agent server listens. */
export interface SandboxListener {
    readonly uid: number;
    readonly listens: readonly OpenPort[];
}
/** What a table of rules is made of. */
export interface FirewallState {
    readonly table: string;
    readonly sandboxes: readonly SandboxListener[];
    /** What sandboxes may reach on this host. */
    readonly tcp: readonly OpenPort[];
    readonly udp: readonly OpenPort[];
}
/**
 * The rules as a script for `nft -f`, which takes the place of an earlier table at once. Whose listener a connection
 * would reach is known with the answer to its first packet only:
 *
 * - A sandbox's connection to this host carries the sandbox's user as a mark. An answer to it that comes from another
 *   user, or from behind a translated address, is refused. So sandboxes reach what they listen on themselves.
 * - Others' connections to a sandbox's listener get an answer only from its agent server's address and port. A listener
 *   whose queue is full answers with a cookie, which has no user; so at the ports of such listeners there are no cookies.
 *
 * Refusing resets the connection on the listener's side: what is half open there would fill its queue.
 */
export declare function tableScript({ table, sandboxes, tcp, udp }: FirewallState): string;
/** Adds a sandbox to a table; nothing happens where it is in it already. */
export declare function admitScript(table: string, sandbox: SandboxListener): string;
/** Takes a sandbox out of a table, whether it is in it or not. */
export declare function releaseScript(table: string, sandbox: SandboxListener): string;
/** Removes a table that is there. */
export declare function removeScript(table: string): string;
