/** An internationalized domain in both spellings, or why it is none. */
export type InternationalDomain = {
    readonly ascii: string;
    readonly unicode: string;
    /** Reported only when nothing else is wrong with the name. */
    readonly punycodeFault: string | undefined;
} | {
    readonly ascii?: undefined;
    readonly fault: string;
};
/**
 * Brings a domain to its spelling on the wire under IDNA 2008. What Node does for URLs is the base; it lets
 * symbols through, which domains of mail may not have, so each character is looked at as well.
 * @param domain mapped to lower case already
 */
export declare function readInternationalDomain(domain: string): InternationalDomain;
