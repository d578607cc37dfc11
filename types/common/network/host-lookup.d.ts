/** Resolves host names; a port, so that tests can answer like a hostile name server. */
export declare abstract class HostLookup {
    /** Addresses of a host that any user may have entered; empty when there are none. */
    abstract ofUntrusted(host: string): Promise<readonly string[]>;
    /** Addresses of a host that the operator allows, resolved as this machine is configured. */
    abstract ofAllowed(host: string): Promise<readonly string[]>;
}
/**
 * Queries name servers directly for untrusted hosts: the system's lookup blocks one of the four threads of libuv's
 * pool each time, so one slow name server could stall the whole service.
 */
export declare class SystemHostLookup extends HostLookup {
    private readonly resolver;
    ofUntrusted(host: string): Promise<readonly string[]>;
    ofAllowed(host: string): Promise<readonly string[]>;
}
