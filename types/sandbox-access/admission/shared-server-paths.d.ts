/**
 * The conversation that a path at an agent server belongs to.
 * @returns its id; `null` for a path that belongs to no conversation and that anybody may see; undefined for any other
 *   path
 */
export declare function conversationOfPath(path: string): string | null | undefined;
