/** A model's name. */
export declare const modelName: (options?: {
    readonly minLength?: number;
}) => import("../../validation").FieldType<string, string>;
/** The base URL of a model's API; empty for none. */
export declare const baseUrl: () => import("../../validation").FieldType<string, string>;
/** An API key for a model; empty for none. */
export declare const modelKey: () => import("../../validation").FieldType<string, string>;
/** Null for what is absent, null or empty. */
export declare function filled(text: string | null | undefined): string | null;
/**
 * The key after a change of the base URL: a key is only ever sent to the host it was given for.
 * @param given undefined if the request does not mention the key
 */
export declare function keyAfter(given: string | null | undefined, before: {
    readonly baseUrl: string | null;
    readonly apiKey: string | null;
}, baseUrlNow: string | null): string | null;
