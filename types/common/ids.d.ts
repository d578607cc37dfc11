/** A new random id, lower case with hyphens. */
export declare function newId(): string;
/**
 * Reads a UUID with or without hyphens, in any case (docs/contract.md#identifiers).
 * @returns the id in lower case with hyphens, or null when the text is no UUID
 */
export declare function parseUuid(text: string): string | null;
/**
 * Parses a serial id.
 * @returns null when no row can have this id
 */
export declare function serialId(text: string): number | null;
/** The 32 hexadecimal digits of a UUID, the spelling agent servers use in paths and file names. */
export declare function hexOf(uuid: string): string;
