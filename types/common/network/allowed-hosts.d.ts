/** The hosts that the operator exempts from the public-address and https rules (`GIT_ALLOWED_HOSTS`, `WEBHOOK_ALLOWED_HOSTS`). */
export declare class AllowedHosts {
    private readonly hosts;
    /**
     * @param setting its name, for the error
     * @throws StartError when an entry is no `host` or `host:port`
     */
    constructor(setting: string, entries: readonly string[]);
    /** What is wrong with the entries of a setting, one line for each that is no host. */
    static problems(setting: string, entries: readonly string[]): string[];
    /** True when the operator allows this host on this port; an entry without a port means 80 and 443. */
    allows(host: string, port: number): boolean;
}
/**
 * The canonical form of a host: lower case, no brackets around IPv6, no trailing dot, an IP address in its usual
 * notation.
 */
export declare function canonicalHost(host: string): string;
