/** A model, the base URL of its API and the key for it. */
export interface Llm {
    readonly model: string | null;
    readonly baseUrl: string | null;
    readonly apiKey: string | null;
}
export declare const NO_LLM: Llm;
/**
 * Combines the settings of several scopes: the name comes from the nearest that has one, base URL and key together from
 * the nearest that has either. So a key never goes to a URL that was set elsewhere.
 * @param places the scopes, the nearest first
 */
export declare function composeLlm(places: readonly Llm[]): Llm;
/** The provider in a model's name: the part before the first slash; null without one. */
export declare function providerOf(model: string): string | null;
/** An address without its user, password and query, which may be secret. */
export declare function shownAddress(address: string): string;
