import type { Settings } from '../../../config';
/** A sandbox with a user of its own, and where its agent server listens. */
export interface SandboxUser {
    readonly uid: number;
    readonly host: string;
    readonly port: number;
}
/**
 * Keeps sandboxes with users of their own from the ports of this host, but for the callback address and what they
 * listen on themselves, and others from what they listen on, but for their agent servers
 * (docs/sandboxes.md#isolation). It is one table of nftables for each installation, for the sandboxes in `DATA_DIR`:
 * their users are in it from before their first process.
 */
export declare class HostFirewall {
    private readonly settings;
    private readonly known;
    private readonly log;
    private readonly table;
    private readonly admitted;
    private opening;
    /** @param known those of the sandboxes there are that have users of their own */
    constructor(settings: Settings, known: () => Promise<readonly SandboxUser[]>);
    /** Makes the table, or says in the log why there is none. @returns whether there is one */
    open(): Promise<boolean>;
    /**
     * Called before a user gets its first process, and again before its agent server listens elsewhere.
     * @throws DriverError when it would not be kept from anything
     */
    admit(user: SandboxUser): Promise<void>;
    /** Called when a user has no processes and never will. */
    release(uid: number): Promise<void>;
    /** Removes the table, unless sandboxes run on without the service: then it stays for them. */
    close(): Promise<void>;
    /** Whether users have processes that do not just end. */
    private haveProcesses;
    private make;
}
