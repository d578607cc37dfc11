import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import { ConversationModels, type FoundModel, type ModelCaller } from '../../../agents/agent-settings';
import {
  type CallOutcome,
  ModelCalls,
  ModelKeyInvalidError,
  type Reservation,
  type SpentTokens,
} from '../../../agents/budgets';
import {
  ModelPolicies,
  type ModelPrice,
  ModelPriceUnknownError,
  ModelPrices,
} from '../../../agents/model-policy';
import { AppError } from '../../../kernel/common';
import { GatewayMetrics } from '../gateway-metrics';
import { type ModelRequest, readModelRequest } from '../protocol/model-request';
import type { Protocol } from '../protocol/protocols';
import { knownProvider } from '../providers/provider-addresses';
import type { SeenUsage } from '../usage/seen-answer';
import { type LastTry, ProviderTries, type WantedCall } from './provider-tries';
import { answerLast } from './last-answer';

/** About as many bytes of a call are one token of its input. */
const BYTES_PER_TOKEN = 4;

/** A call as it came in. */
export interface IncomingCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly conversationId: string;
  readonly protocol: Protocol;
  readonly body: Buffer;
  /** When it came. */
  readonly beganAt: number;
}

/** A call that may be made, and what it may cost. */
interface AdmittedCall extends WantedCall {
  readonly price: ModelPrice;
  readonly provider: string;
}

/** What a call has become. */
type Settled = Pick<CallOutcome, 'status'> & { readonly usage: SeenUsage | null };

const NOTHING: SpentTokens = { prompt: 0, completion: 0, cacheRead: 0, cacheWrite: 0 };

const REFUSALS = ['model_not_allowed', 'model_price_unknown', 'budget_exhausted'] as const;

/** Makes calls to models: allowed, reserved, made, settled (docs/model-gateway.md#a-call). */
@Injectable()
export class ModelCallRun {
  private readonly log = new Logger('ModelGateway');

  constructor(
    private readonly models: ConversationModels,
    private readonly policies: ModelPolicies,
    private readonly prices: ModelPrices,
    private readonly calls: ModelCalls,
    private readonly tries: ProviderTries,
    private readonly metrics: GatewayMetrics,
  ) {}

  /**
   * Makes a call and answers it.
   * @throws AppError for what is to be answered with an error
   */
  async run(incoming: IncomingCall): Promise<void> {
    const { protocol, body, conversationId, response } = incoming;
    const request = readModelRequest(protocol, body);
    const found = await this.models.find(conversationId, request.model);
    if (found === null) throw new ModelKeyInvalidError();
    const call = await this.admitted(incoming, request, found);
    const gone = new AbortController();
    const leave = (): void => gone.abort(new Error('The caller has gone.'));
    response.once('close', leave);
    const begun = await this.tries.begin(call, gone.signal).catch((error: unknown) => {
      if (gone.signal.aborted) return null;
      throw error;
    });
    response.off('close', leave);
    if (begun === null) return;
    let reservation: Reservation;
    try {
      reservation = await this.reserve(conversationId, call);
    } catch (error) {
      begun.leave();
      throw error;
    }
    await this.make(incoming, call, { reservation, last: this.tries.run(call, begun, response) });
  }

  /** @throws ModelNotAllowedError, ModelPriceUnknownError */
  private async admitted(
    { request: { headers } }: IncomingCall,
    request: ModelRequest,
    found: FoundModel,
  ): Promise<AdmittedCall> {
    const { caller, model } = found;
    return this.counted(caller, model, async () => {
      const { maxOutputTokens } = await this.policies.check(caller.orgId, caller.role, model);
      const price = this.prices.priceOf(model);
      if (price === null) throw new ModelPriceUnknownError(model);
      return {
        request,
        found,
        headers,
        maxOutput: maxOutputTokens,
        price,
        provider: knownProvider(model) ?? '',
      };
    });
  }

  /** @throws BudgetExhaustedError, ModelKeyInvalidError */
  private reserve(
    conversationId: string,
    { request, found, maxOutput, price, provider }: AdmittedCall,
  ): Promise<Reservation> {
    const { body, choices, maxOutput: asked, namedTokens } = request;
    const allowed = maxOutput === null ? null : maxOutput * choices;
    const largest = asked ?? (price.largestOutput === undefined ? null : price.largestOutput * choices);
    const maxOutputTokens = allowed === null ? largest : Math.min(allowed, largest ?? allowed);
    const most = this.prices.mostOf(price, {
      inputBytes: body.length,
      maxOutputTokens: request.protocol === 'embeddings' ? 0 : maxOutputTokens,
      namedTokens,
    });
    const { caller, model } = found;
    return this.counted(caller, model, () =>
      this.calls.reserve({ conversationId, model, provider, mostCost: most.cost, mostTokens: most.tokens }),
    );
  }

  /** Counts a refusal for those who look after the organization. */
  private async counted<Result>(
    { orgId }: ModelCaller,
    model: string,
    work: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      const code = REFUSALS.find((known) => error instanceof AppError && error.code === known);
      if (code !== undefined) this.policies.refused(orgId, model, code);
      throw error;
    }
  }

  private async make(
    incoming: IncomingCall,
    call: AdmittedCall,
    { reservation, last: making }: { readonly reservation: Reservation; readonly last: Promise<LastTry> },
  ): Promise<void> {
    let last: LastTry;
    try {
      last = await making;
    } catch (error) {
      await this.calls.release(reservation);
      throw error;
    }
    const settled = await settledBy(last, Math.ceil(call.request.body.length / BYTES_PER_TOKEN));
    try {
      answerLast(incoming.response, last);
    } finally {
      this.settle(incoming, call, { reservation, last, settled });
    }
  }

  private settle(
    incoming: IncomingCall,
    call: AdmittedCall,
    {
      reservation,
      last,
      settled,
    }: { readonly reservation: Reservation; readonly last: LastTry; readonly settled: Settled },
  ): void {
    const { beganAt, protocol, conversationId, request } = incoming;
    const { outcome, host, tries } = last;
    const firstByteMs = outcome.kind === 'passed' ? Math.round(outcome.firstByteAt - beganAt) : null;
    const latencyMs = Math.round(performance.now() - beganAt);
    const { status, usage } = settled;
    const cost = usage === null ? 0 : this.prices.costOf(call.price, usage.tokens);
    const httpStatus = outcome.kind === 'failed' ? null : outcome.status;
    this.metrics.ended(protocol, status);
    if (firstByteMs !== null) this.metrics.began(protocol, firstByteMs);
    if (usage !== null) this.metrics.settled(usage.tokens, usage.isReported);
    this.log.log(
      {
        requestId: request.id,
        conversation: conversationId,
        organization: call.found.caller.orgId,
        model: call.found.model,
        host,
        tries,
        status,
        httpStatus,
        ...(outcome.kind === 'failed' && { why: outcome.sentence }),
        ...usage?.tokens,
        usageReported: usage?.isReported,
        cost,
        firstByteMs,
        latencyMs,
      },
      'A model was called',
    );
    // Whoever called has the answer; it is tried until it is stored.
    const stored = this.calls.settle(reservation, {
      tokens: usage?.tokens ?? NOTHING,
      cost,
      status,
      httpStatus,
      latencyMs,
      firstByteMs,
      usageReported: usage?.isReported === true,
    });
    stored.catch((error: unknown) =>
      this.log.error({ err: error, requestId: request.id }, 'What a call of a model cost was not stored'),
    );
  }
}

/**
 * What a call is settled by; a usage of null for one that cost nothing: the provider refused it, or was never asked.
 * @param input tokens of its body as they are estimated
 */
async function settledBy({ outcome }: LastTry, input: number): Promise<Settled> {
  if (outcome.kind === 'refused') return { status: 'failed', usage: null };
  if (outcome.kind === 'failed') {
    // What a provider began to read may be paid for, whether somebody waits for the answer or not.
    const isCounted = outcome.wasSent && outcome.why !== 'connection';
    const tokens = { prompt: input, completion: 0, cacheRead: 0, cacheWrite: 0, cacheWriteLong: 0 };
    const usage = isCounted ? { tokens, isReported: false, hasError: false } : null;
    return { status: outcome.why === 'caller' ? 'interrupted' : 'failed', usage };
  }
  const usage = await outcome.reader.usage(input);
  if (outcome.broke !== null) return { status: 'interrupted', usage };
  if (!usage.hasError) return { status: 'ok', usage };
  // An error instead of an answer costs nothing.
  return { status: 'failed', usage: outcome.reader.isEmpty ? null : usage };
}
