/**
 * White space as `trim` has it everywhere in requests: Unicode's White_Space, which has U+0085 and lacks
 * U+FEFF, unlike the `trim` of the language.
 */
export declare function trimSpace(text: string): string;
/** The number of characters of a text, an astral one counted once. */
export declare function lengthOf(text: string): number;
/** `'a'`, `'a' or 'b'`, `'a', 'b' or 'c'`. */
export declare function quotedChoice(values: readonly string[]): string;
