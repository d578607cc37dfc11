/** An address in its normalized spelling, or what is wrong with it. */
export type ReadEmail = {
    readonly address: string;
    readonly fault?: undefined;
} | {
    readonly fault: string;
    readonly address?: undefined;
};
/** Reads an e-mail address, `Name <address>` included; reports the first fault. */
export declare function readEmail(text: string): ReadEmail;
