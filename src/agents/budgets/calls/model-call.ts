/** Tokens of one call of a model. */
export interface SpentTokens {
  /** All that was read, from the cache too. */
  readonly prompt: number;
  readonly completion: number;
  /** Of the prompt. */
  readonly cacheRead: number;
  /** Of the prompt. */
  readonly cacheWrite: number;
}

/** A call of a model that is about to be made. */
export interface ModelCall {
  readonly conversationId: string;
  /** With its provider in front, as conversations name models. */
  readonly model: string;
  readonly provider: string;
  /** The most it can cost, in dollars. */
  readonly mostCost: number;
  /** The most tokens, of prompt and completion together. */
  readonly mostTokens: number;
}

/** A call that may be made; it has a row in the ledger. */
export interface Reservation {
  /** Of the row of the ledger. */
  readonly id: string;
}

/** What came of a call. */
export interface CallOutcome {
  readonly tokens: SpentTokens;
  /** In dollars. */
  readonly cost: number;
  readonly status: 'ok' | 'failed' | 'interrupted';
  /** Null where there was no response. */
  readonly httpStatus: number | null;
  readonly latencyMs: number;
  /** Until the first byte of the response; null without one. */
  readonly firstByteMs: number | null;
  /** Whether the provider said what was used; otherwise it was counted. */
  readonly usageReported: boolean;
}

const MOST_INTEGER = 2_147_483_647;
const MOST_MODEL = 255;

/** A call as the database takes it. @throws RangeError for amounts that are none: nothing could be compared with them */
export function checkedCall(call: ModelCall): ModelCall {
  const { mostCost, mostTokens } = call;
  if (
    !(
      mostCost >= 0 &&
      mostCost <= Number.MAX_SAFE_INTEGER &&
      mostTokens >= 0 &&
      mostTokens <= Number.MAX_SAFE_INTEGER
    )
  )
    throw new RangeError(`A call cannot cost at most $${mostCost} and ${mostTokens} tokens.`);
  return {
    ...call,
    model: call.model.slice(0, MOST_MODEL),
    provider: call.provider.slice(0, MOST_MODEL),
    mostTokens: Math.ceil(mostTokens),
  };
}

/** An outcome as the database takes it: what is no amount counts as none. */
export function checkedOutcome(outcome: CallOutcome): CallOutcome {
  const { tokens, cost, httpStatus, latencyMs, firstByteMs } = outcome;
  return {
    ...outcome,
    tokens: {
      prompt: whole(tokens.prompt, Number.MAX_SAFE_INTEGER),
      completion: whole(tokens.completion, Number.MAX_SAFE_INTEGER),
      cacheRead: whole(tokens.cacheRead, Number.MAX_SAFE_INTEGER),
      cacheWrite: whole(tokens.cacheWrite, Number.MAX_SAFE_INTEGER),
    },
    cost: Number.isFinite(cost) ? Math.min(Math.max(cost, 0), Number.MAX_SAFE_INTEGER) : 0,
    httpStatus: httpStatus === null ? null : whole(httpStatus, MOST_INTEGER),
    latencyMs: whole(latencyMs, MOST_INTEGER),
    firstByteMs: firstByteMs === null ? null : whole(firstByteMs, MOST_INTEGER),
  };
}

function whole(amount: number, most: number): number {
  return amount > 0 ? Math.min(Math.round(amount), most) : 0;
}
