/** A name that is safe to return, or null: visible text of limited length, without markup. */
export declare function asName(value: unknown): string | null;
/** A description without invisible characters, truncated if too long; empty if it is not a string. */
export declare function asDescription(value: unknown): string;
/** An untrusted path or name, made safe to quote in a sentence. */
export declare function quoted(text: string): string;
/** The text of a file without its byte order mark, or null when it is not UTF-8. */
export declare function asText(bytes: Uint8Array): string | null;
