/**
 * Reads a unix time, in seconds or, where those would be too many, milliseconds.
 * @returns the date, a complaint about an invalid number, or null for a text that is not a number
 */
export declare function readUnixTime(value: string | number): Date | string | null;
