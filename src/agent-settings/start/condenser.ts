/** Events after which a condenser summarizes a history, unless another number is set. */
export const CONDENSER_MAX_SIZE = 240;

/** Events at the beginning that it keeps as they are. */
const KEPT_FIRST = 2;

/**
 * A condenser as agent servers take it.
 * @param llm what the agent runs on: it summarizes as well
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
