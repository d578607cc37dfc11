/** A domain in the spelling of the wire and in that of people, or what is wrong with it. */
export type ReadDomain = {
    readonly ascii: string;
    readonly unicode: string;
    readonly fault?: undefined;
} | {
    readonly fault: string;
};
/** Reads the part after the @-sign. */
export declare function readDomain(text: string): ReadDomain;
