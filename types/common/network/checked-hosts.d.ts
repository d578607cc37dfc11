import type { LookupFunction } from 'node:net';
import { AllowedHosts } from './allowed-hosts';
import { HostLookup } from './host-lookup';
/** The service does not connect to a host. `message` says why, without an address. */
export declare abstract class HostProblem extends Error {
}
/** The host is at an address that is not of the public internet. */
export declare class PrivateHostError extends HostProblem {
    constructor(host: string);
}
/** No name server knows an address of the host. */
export declare class UnknownHostError extends HostProblem {
    constructor(host: string);
}
/** Decides which addresses of hosts that users enter may be connected to. */
export declare class CheckedHosts {
    private readonly allowedHosts;
    private readonly lookup;
    constructor(allowedHosts: AllowedHosts, lookup: HostLookup);
    /** True when the operator exempts the host from the rules for untrusted hosts. */
    allows(host: string, port: number): boolean;
    /**
     * The checked addresses of a host. Connections go to these only, so a different second answer of its name server
     * (DNS rebinding) has no effect.
     * @throws PrivateHostError when any of its addresses is not public; UnknownHostError when it has none
     */
    addressesOf(host: string, port: number): Promise<readonly string[]>;
    private resolved;
}
/** A lookup that answers with checked addresses, whatever it is asked for; for sockets with `autoSelectFamily`. */
export declare function checkedLookup(addresses: readonly string[]): LookupFunction;
