/** Whether there is a condenser, unless set otherwise: as in the software development kit. */
export const CONDENSER_ENABLED = true;

/** Events after which a condenser summarizes the history, unless set otherwise. */
export const CONDENSER_MAX_SIZE = 240;

/** Leading events that are never summarized. */
const KEPT_FIRST = 2;

/** The settings of the user; null for what they leave open. */
interface CondenserSettings {
  readonly condenserEnabled: boolean | null;
  readonly condenserMaxSize: number | null;
}

/**
 * A condenser in the agent server's format; null where it is turned off.
 * @param llm the agent's model, which writes the summaries as well
 */
export function condenser(
  llm: Readonly<Record<string, unknown>>,
  { condenserEnabled, condenserMaxSize }: CondenserSettings,
): Record<string, unknown> | null {
  if (!(condenserEnabled ?? CONDENSER_ENABLED)) return null;
  return {
    kind: 'LLMSummarizingCondenser',
    // Nobody receives a summary while it is written, and some agent servers fail to stream one without a subscriber.
    llm: { ...llm, usage_id: 'condenser', stream: false },
    max_size: condenserMaxSize ?? CONDENSER_MAX_SIZE,
    keep_first: KEPT_FIRST,
  };
}
