/** Most characters of a kind. */
export declare const MAX_KIND = 100;
/**
 * @returns what is wrong with a kind that a webhook names, or null; kinds that are unknown are accepted, as agents
 *   bring new ones (docs/webhooks.md#kinds)
 */
export declare function kindProblem(text: string): string | null;
