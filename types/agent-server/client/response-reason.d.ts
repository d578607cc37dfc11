/**
 * Why an agent server said no, as one short text. Validation faults give place and message only, because
 * their `input` repeats what was sent; the session key never appears.
 */
export declare function responseReason(text: string, apiKey: string): string;
/** Numbers that are not finite are read as `null`. @returns undefined when the text is no JSON */
export declare function parseJson(text: string): unknown;
