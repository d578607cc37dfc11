import type { CallOutcome } from '../../../agents/budgets';
import type { Tokens } from '../usage/reported-usage';
import type { SeenUsage } from '../usage/seen-answer';
import type { LastTry } from './provider-tries';

/** About as many bytes of a call are one token of its input. */
const BYTES_PER_TOKEN = 4;
/** What is reported beyond so many times of the most that there can be is no usage of the call. */
const MOST_REPORTED = 2;
/** Faster than any model is said to write; who shows all that they write are counted by what was read. */
const MOST_PER_SECOND = 4_000;
/** How long a provider may go on writing after the connection ended. */
const STOP_MS = 2_000;

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
  /** How many answers were asked for, which are written at the same time. */
  readonly choices: number;
  /** What tokens cost, in dollars. */
  readonly costOf: (tokens: Tokens) => number;
}

/** What a call is settled by (docs/model-gateway.md#what-is-counted). */
export async function settledBy(last: LastTry, made: MadeCall): Promise<Settled> {
  const { most, costOf } = made;
  const { status, usage } = await usageOf(last, made);
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

async function usageOf(
  { outcome }: LastTry,
  { most, bodyBytes, choices }: MadeCall,
): Promise<
  Pick<Settled, 'status'> & { readonly usage: Pick<SeenUsage, 'tokens' | 'read' | 'isReported'> | null }
> {
  const input = Math.ceil(bodyBytes / BYTES_PER_TOKEN);
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
    // What the model thought without showing it is not known: no less than it may be in that time.
    const seconds = (outcome.lastedMs + STOP_MS) / 1_000;
    const thought = Math.min(Math.ceil(seconds * MOST_PER_SECOND * choices), most.completion);
    const completion = Math.max(usage.tokens.completion, thought);
    return {
      status: 'interrupted',
      usage: { ...usage, tokens: { ...usage.tokens, completion }, isReported: false },
    };
  }
  return { status: usage.hasError ? 'failed' : 'ok', usage };
}
