import type { CallOutcome } from '../../../agents/budgets';
import type { Tokens } from '../usage/reported-usage';
import type { SeenUsage } from '../usage/seen-answer';
import type { LastTry } from './provider-tries';

/** About as many bytes of a call are one token of its input. */
const BYTES_PER_TOKEN = 4;
/** What is reported beyond so many times of what was reserved is no usage of the call. */
const MOST_REPORTED = 2;

const NOTHING: Tokens = { prompt: 0, completion: 0, cacheRead: 0, cacheWrite: 0, cacheWriteLong: 0 };

/** The most that a call may take, as it is reserved. */
export interface MostOfCall {
  /** In dollars. */
  readonly cost: number;
  readonly prompt: number;
  readonly completion: number;
}

/** What a call has become. */
export interface Settled extends Pick<CallOutcome, 'status' | 'cost'> {
  readonly tokens: Tokens;
  /** Whether the provider said how much it was; null for a call that cost nothing: it was refused, or never made. */
  readonly isReported: boolean | null;
}

/** What is known of a call that was made. */
interface MadeCall {
  readonly most: MostOfCall;
  readonly bodyBytes: number;
  /** What tokens cost, in dollars. */
  readonly costOf: (tokens: Tokens) => number;
}

/** What a call is settled by (docs/model-gateway.md#what-is-counted). */
export async function settledBy(last: LastTry, { most, bodyBytes, costOf }: MadeCall): Promise<Settled> {
  const { status, usage } = await usageOf(last, most, Math.ceil(bodyBytes / BYTES_PER_TOKEN));
  if (usage === null) return { status, tokens: NOTHING, cost: 0, isReported: null };
  const { prompt, completion } = usage.tokens;
  if (prompt + completion > MOST_REPORTED * (most.prompt + most.completion))
    return {
      status,
      tokens: { ...NOTHING, prompt: most.prompt, completion: most.completion },
      cost: most.cost,
      isReported: false,
    };
  const { isReported } = usage;
  if (!last.target.isOwn) return { status, tokens: usage.tokens, cost: costOf(usage.tokens), isReported };
  const tokens = {
    ...usage.tokens,
    prompt: Math.min(prompt, most.prompt),
    completion: Math.min(completion, most.completion),
  };
  return { status, tokens, cost: Math.min(costOf(tokens), most.cost), isReported };
}

/** @param input tokens of its body as they are estimated */
async function usageOf(
  { outcome }: LastTry,
  most: MostOfCall,
  input: number,
): Promise<Pick<Settled, 'status'> & { readonly usage: Pick<SeenUsage, 'tokens' | 'isReported'> | null }> {
  if (outcome.kind === 'refused') return { status: 'failed', usage: null };
  if (outcome.kind === 'failed') {
    // What a provider began to read may be paid for, whether somebody waits for the answer or not.
    const isCounted = outcome.wasSent && outcome.why !== 'connection';
    const usage = isCounted ? { tokens: { ...NOTHING, prompt: input }, isReported: false } : null;
    return { status: outcome.why === 'caller' ? 'interrupted' : 'failed', usage };
  }
  const usage = await outcome.reader.usage(input);
  // An error instead of an answer costs nothing.
  if (usage.hasError && outcome.reader.isEmpty) return { status: 'failed', usage: null };
  if (outcome.broke !== null) {
    if (usage.isFinal) return { status: 'interrupted', usage };
    // What the model thought without showing it is not known: no less than it may be.
    const completion = Math.max(usage.tokens.completion, most.completion);
    return { status: 'interrupted', usage: { tokens: { ...usage.tokens, completion }, isReported: false } };
  }
  return { status: usage.hasError ? 'failed' : 'ok', usage };
}
