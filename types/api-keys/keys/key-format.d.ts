/** A new random key with its checksum (docs/contract.md#key-format). */
export declare function newKey(): string;
/** Whether a text has the form of a key and a correct checksum: others are not looked up. */
export declare function isWellFormedKey(key: string): boolean;
/** The first characters of a key: enough to recognize it, too few to guess it. */
export declare function displayPrefix(key: string): string;
