/**
 * Reads the text after the `?` of a request.
 * @param wanted the names that count; others are skipped
 * @returns the values of each name, decoded, in their order; `?page` and `?page=` both have an empty one
 */
export declare function readQuery(text: string, wanted: ReadonlySet<string>): Map<string, string[]>;
