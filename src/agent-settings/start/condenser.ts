/** Events after which a condenser summarizes the history, unless set otherwise. */
export const CONDENSER_MAX_SIZE = 240;

/** Leading events that are never summarized. */
const KEPT_FIRST = 2;

/**
 * A condenser in the agent server's format.
 * @param llm the agent's model, which writes the summaries as well
 */
export function condenser(
  llm: Readonly<Record<string, unknown>>,
  maxSize: number | null,
): Record<string, unknown> {
  return {
    kind: 'LLMSummarizingCondenser',
    llm: { ...llm, usage_id: 'condenser' },
    max_size: maxSize ?? CONDENSER_MAX_SIZE,
    keep_first: KEPT_FIRST,
  };
}
