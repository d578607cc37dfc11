import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import { ConversationModels, type FoundModel, type ModelCaller } from '../../../agents/agent-settings';
import { ModelCalls, ModelKeyInvalidError, type Reservation } from '../../../agents/budgets';
import {
  LARGEST_OUTPUT,
  ModelPolicies,
  type ModelPrice,
  ModelPriceUnknownError,
  ModelPrices,
  REFUSAL_CODES,
} from '../../../agents/model-policy';
import { AppError } from '../../../kernel/common';
import { GatewayMetrics } from '../gateway-metrics';
import { type ModelRequest, readModelRequest } from '../protocol/model-request';
import type { Protocol } from '../protocol/protocols';
import { knownProvider } from '../providers/provider-addresses';
import { type LastTry, ProviderTries, type WantedCall } from './provider-tries';
import { answerLast } from './last-answer';
import { type MostOfCall, settledBy, type Settled } from './settled-call';

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

/** What is reserved for a call. */
interface Reserved {
  readonly reservation: Reservation;
  readonly most: MostOfCall;
}

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
    if (begun === null) {
      this.metrics.ended(protocol, 'interrupted');
      return;
    }
    let reserved: Reserved;
    try {
      reserved = await this.reserve(conversationId, call);
    } catch (error) {
      begun.leave();
      throw error;
    }
    await this.make(incoming, call, { reserved, last: this.tries.run(call, begun, response) });
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
  private async reserve(
    conversationId: string,
    { request, found, maxOutput, price, provider }: AdmittedCall,
  ): Promise<Reserved> {
    const { body, choices, maxOutput: asked, namedTokens } = request;
    const allowed = maxOutput === null ? null : maxOutput * choices;
    const ofModel = (price.largestOutput ?? LARGEST_OUTPUT) * choices;
    const limit = Math.min(allowed ?? Infinity, asked ?? ofModel);
    const [completion, largest] =
      request.protocol === 'embeddings' ? [0, 0] : [limit, Math.max(limit, ofModel)];
    const size = { inputBytes: body.length, maxOutputTokens: completion, namedTokens };
    const { cost, tokens } = this.prices.mostOf(price, size);
    const { caller, model } = found;
    const reservation = await this.counted(caller, model, () =>
      this.calls.reserve({ conversationId, model, provider, mostCost: cost, mostTokens: tokens }),
    );
    return {
      reservation,
      most: { cost, prompt: tokens - completion, completion, largestCompletion: largest },
    };
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
      const code = REFUSAL_CODES.find((known) => error instanceof AppError && error.code === known);
      if (code !== undefined) this.policies.refused(orgId, model, code);
      throw error;
    }
  }

  private async make(
    incoming: IncomingCall,
    call: AdmittedCall,
    { reserved, last: making }: { readonly reserved: Reserved; readonly last: Promise<LastTry> },
  ): Promise<void> {
    const { reservation, most } = reserved;
    let last: LastTry;
    try {
      last = await making;
    } catch (error) {
      await this.calls.release(reservation);
      throw error;
    }
    const settled = await settledBy(last, {
      most,
      bodyBytes: call.request.body.length,
      choices: call.request.choices,
      costOf: (tokens) => this.prices.costOf(call.price, tokens),
    });
    try {
      answerLast(incoming.response, last);
      // With an error it is counted by the code of that.
      this.metrics.ended(incoming.protocol, settled.status);
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
    const { status, tokens, cost, isReported } = settled;
    const httpStatus = outcome.kind === 'failed' ? null : outcome.status;
    if (firstByteMs !== null) this.metrics.began(protocol, firstByteMs);
    if (isReported !== null) this.metrics.settled(tokens, isReported);
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
        ...(isReported !== null && { ...tokens, usageReported: isReported }),
        cost,
        firstByteMs,
        latencyMs,
      },
      'A model was called',
    );
    // Whoever called has the answer; it is tried until it is stored.
    const stored = this.calls.settle(reservation, {
      tokens,
      cost,
      status,
      httpStatus,
      latencyMs,
      firstByteMs,
      usageReported: isReported === true,
    });
    stored.catch((error: unknown) =>
      this.log.error({ err: error, requestId: request.id }, 'What a call of a model cost was not stored'),
    );
  }
}
