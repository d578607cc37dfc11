import type { OpenPort } from '../../firewall/firewall-rules';
/** What the rules for the bridges of an installation are made of. */
export interface BridgeRules {
    readonly table: string;
    /** What the names of its bridges begin with. */
    readonly prefix: string;
    /** What sandboxes may reach wherever it is: the callback address, the model, git hosts, name servers. */
    readonly tcp: readonly OpenPort[];
    readonly udp: readonly OpenPort[];
    /** Whether they may reach public addresses. */
    readonly internet: boolean;
}
/**
 * The rules as a script for `nft -f`, which takes the place of earlier ones at once and goes on with their count of
 * connections. They only refuse: what they let through is still subject to the rules of the engine. Sandboxes are known by
 * the bridge that each has alone.
 */
export declare function bridgeScript({ table, prefix, tcp, udp, internet }: BridgeRules): string;
