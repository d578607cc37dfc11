/**
 * What is wrong with the characters of a text, as a sentence.
 * @param invalid matches, globally, what is not allowed there
 * @param sentence that the list of these characters ends
 */
export declare function faultOfInvalid(text: string, invalid: RegExp, sentence: string): string | undefined;
/** Names the characters of a text that are invisible, or that change the one before them. */
export declare function faultOfUnsafe(text: string): string | undefined;
/** A character as a message shows it: quoted where it can be seen, else by name or number. */
export declare function displayed(character: string): string;
/** `U+0009`; beyond U+FFFF in lists of characters with eight digits. */
export declare function numberOf(character: string, astralDigits?: number): string;
