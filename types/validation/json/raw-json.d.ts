/**
 * The source text of a part of a JSON text, unmodified: message contents are kept and forwarded as they
 * came (docs/contract.md#values-that-cannot-be-stored). Takes time linear in the text.
 * @param text JSON; what is not finite in it becomes `null`
 * @param path keys and indexes that lead to the part; of several equal keys the last counts
 * @returns the part's text, or undefined when there is none
 */
export declare function rawJsonAt(text: string, path: readonly (string | number)[]): string | undefined;
/**
 * The source texts of the items of a JSON array, each unmodified.
 * @param text JSON; what is not finite in it becomes `null`
 * @returns nothing for any other value than an array
 */
export declare function rawJsonItems(text: string): string[];
