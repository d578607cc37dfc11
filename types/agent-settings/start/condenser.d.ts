/** Events after which a condenser summarizes the history, unless set otherwise. */
export declare const CONDENSER_MAX_SIZE = 240;
/**
 * A condenser in the agent server's format.
 * @param llm the agent's model, which writes the summaries as well
 */
export declare function condenser(llm: Readonly<Record<string, unknown>>, maxSize: number | null): Record<string, unknown>;
