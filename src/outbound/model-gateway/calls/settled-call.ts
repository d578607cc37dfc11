import type { CallOutcome } from '../../../agents/budgets';
import type { Tokens } from '../usage/reported-usage';
import type { SeenUsage } from '../usage/seen-answer';
import type { LastTry } from './provider-tries';

/** About as many bytes of a call are one token of its input. */
const BYTES_PER_TOKEN = 4;
/** What is reported beyond so many times of the most that there can be is no usage of the call. */
const MOST_REPORTED = 2;

const NOTHING: Tokens = { prompt: 0, completion: 0, cacheRead: 0, cacheWrite: 0, cacheWriteLong: 0 };

/** The most that a call may take. */
export interface MostOfCall {
  /** As it is reserved, in dollars. */
  readonly cost: number;
  readonly prompt: number;
  /** As it is reserved: by the limit of the call, where it has one. */
  readonly completion: number;
  /** Where the provider passes over that limit. */
  readonly largestCompletion: number;
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
  const { isOwn } = last.target;
  // Those who choose their own provider could have it say anything; of others, more than was asked for is to be paid as well.
  const largest = isOwn ? most.completion : most.largestCompletion;
  const isPossible = prompt + completion <= MOST_REPORTED * (most.prompt + largest);
  const isReported = usage.isReported && isPossible;
  if (!isOwn && isPossible) return { status, tokens: usage.tokens, cost: costOf(usage.tokens), isReported };
  const tokens = {
    ...(isPossible ? usage.tokens : NOTHING),
    prompt: Math.min(prompt, most.prompt),
    completion: Math.max(Math.min(completion, largest), isOwn ? 0 : usage.read),
  };
  const cost = costOf(tokens);
  return { status, tokens, cost: isOwn ? Math.min(cost, most.cost) : cost, isReported };
}

/** @param input tokens of its body as they are estimated */
async function usageOf(
  { outcome }: LastTry,
  most: MostOfCall,
  input: number,
): Promise<
  Pick<Settled, 'status'> & { readonly usage: Pick<SeenUsage, 'tokens' | 'read' | 'isReported'> | null }
> {
  if (outcome.kind === 'refused') return { status: 'failed', usage: null };
  if (outcome.kind === 'failed') {
    // What a provider began to read may be paid for, whether somebody waits for the answer or not.
    const isCounted = outcome.wasSent && outcome.why !== 'connection';
    const usage = isCounted ? { tokens: { ...NOTHING, prompt: input }, read: 0, isReported: false } : null;
    return { status: outcome.why === 'caller' ? 'interrupted' : 'failed', usage };
  }
  const usage = await outcome.reader.usage(input);
  // An error instead of an answer costs nothing.
  if (usage.hasError && outcome.reader.isEmpty) return { status: 'failed', usage: null };
  if (outcome.broke !== null) {
    if (usage.isFinal) return { status: 'interrupted', usage };
    // What the model thought without showing it is not known: no less than it may be.
    const completion = Math.max(usage.tokens.completion, most.completion);
    return {
      status: 'interrupted',
      usage: { ...usage, tokens: { ...usage.tokens, completion }, isReported: false },
    };
  }
  return { status: usage.hasError ? 'failed' : 'ok', usage };
}
