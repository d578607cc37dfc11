/**
 * Text as the database can store it: NUL and lone surrogates become U+FFFD
 * (docs/contract.md#values-that-cannot-be-stored).
 */
export declare function storableText(text: string): string;
/** As {@link storableText}; what is absent is null. */
export declare function storableOrNull(text: string | null | undefined): string | null;
/** The first characters of a text, as the database counts and can store them; an astral character is not split. */
export declare function cutText(text: string, most: number): string;
/** The bytes of a JSON value as the database writes it: with spaces, and numbers without an exponent. */
export declare function jsonBytes(value: unknown): number;
/** A parsed object of JSON with all its texts and keys as the database can store them. */
export declare function storableJson(record: object): Record<string, unknown>;
