/** A number of a JSON text that a double does not represent as it was written: `1.0`, `1e3`, 25 digits. */
export declare class ExactNumber {
    readonly text: string;
    readonly value: number;
    /** @param text the number as written in the JSON text */
    constructor(text: string);
    /** Written without a fraction or an exponent. */
    get isInteger(): boolean;
    /** The nearest double, for `JSON.stringify`. */
    toJSON(): number;
}
/** Records the order of an object's keys in the text: engines move digit keys to the front. */
export declare function recordKeyOrder(object: object, keys: readonly string[]): void;
/** The keys of a JSON object in the order of the text, as far as it was read exactly. */
export declare function keysOf(object: object): readonly string[];
/** A JSON object, as opposed to an array or a number that was read exactly. */
export declare function isJsonObject(value: unknown): value is Record<string, unknown>;
/** @returns a copy of the value in which every exact number is the nearest double */
export declare function withPlainNumbers(value: unknown): unknown;
/** @param text a JSON number */
export declare function isIntegerText(text: string): boolean;
