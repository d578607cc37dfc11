/**
 * What a template becomes with changes to it: objects are merged, lists of named items by their names, all else is replaced;
 * null removes.
 * @param field the one that both are the value of
 */
export declare function merged(base: unknown, changes: unknown, field?: string): unknown;
