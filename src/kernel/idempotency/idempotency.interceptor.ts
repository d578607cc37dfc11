import { createHash } from 'node:crypto';
import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  Logger,
  type NestInterceptor,
} from '@nestjs/common';
import { ModuleRef, Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { firstValueFrom, from, type Observable } from 'rxjs';
import { type Caller, requestIdentity } from '../auth';
import { AppError } from '../common';
import { mayHaveCommitted } from '../database';
import { requestBodyText } from '../http';
import {
  IdempotencyKeyInUseError,
  IdempotencyKeyReusedError,
  OutcomeUnknownError,
} from './idempotency.errors';
import { IdempotencyStore, type KeyedRequest } from './idempotency-store';
import { IDEMPOTENCY, type IdempotencyRules, type IdempotencyScope } from './idempotency-rules';

/**
 * Does an operation once for each `Idempotency-Key` of a user, in an organization, on a route. It runs after
 * the guards: a caller who has lost access to the operation gets no replay of it either
 * (docs/decisions/0025-idempotency-keys.md).
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  private readonly logger = new Logger('Idempotency');

  constructor(
    private readonly store: IdempotencyStore,
    private readonly reflector: Reflector,
    private readonly modules: ModuleRef,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<Request>();
    const key = request.get('idempotency-key');
    if (key === undefined || key === '') return next.handle();
    const rules = this.reflector.get<IdempotencyRules>(IDEMPOTENCY, context.getHandler());
    const { caller, org } = requestIdentity(request);
    if (caller === undefined) throw new Error('Operations with idempotency keys need a caller.');
    const [scopeId, ...earlierIds] =
      org === undefined ? await this.resourceOf(rules, caller, valuesOf(request.params)) : [org.orgId];
    // What handlers are called is stored: another name would let every operation be repeated once.
    const keyDigest = (id: string): string => digest([id, context.getHandler().name, key]);
    const keyed: KeyedRequest = {
      userId: caller.userId,
      keyDigest: keyDigest(scopeId),
      earlierDigests: earlierIds.map(keyDigest),
      requestDigest: digest([requestBodyText(request)]),
    };
    const earlier = await this.store.begin(keyed);
    const response = context.switchToHttp().getResponse<Response>();
    switch (earlier.kind) {
      case 'none':
        return from(this.perform(keyed, rules, response, next));
      case 'answered':
        response.status(earlier.status).set('Idempotency-Replayed', 'true');
        return from([JSON.parse(earlier.answer) as unknown]);
      case 'other':
        throw new IdempotencyKeyReusedError(key);
      case 'working':
        throw new IdempotencyKeyInUseError();
      case 'unknown':
        throw new OutcomeUnknownError();
    }
  }

  private async resourceOf(
    { scope }: IdempotencyRules,
    caller: Caller,
    params: Readonly<Record<string, string>>,
  ): ReturnType<IdempotencyScope['resourceOf']> {
    if (scope === undefined) throw new Error('A route without an organization needs a scope for its keys.');
    return this.modules.get(scope, { strict: false }).resourceOf(caller, params);
  }

  private async perform(
    keyed: KeyedRequest,
    rules: IdempotencyRules,
    response: Response,
    next: CallHandler,
  ): Promise<unknown> {
    let result: unknown;
    try {
      result = await firstValueFrom<unknown>(next.handle());
    } catch (error) {
      const mayHaveTakenEffect =
        error instanceof AppError ? error.mayHaveTakenEffect : mayHaveCommitted(error);
      await this.tryRecord(mayHaveTakenEffect ? this.store.recordUnknown(keyed) : this.store.release(keyed));
      throw error;
    }
    await this.tryRecord(
      this.store.recordResponse(keyed, response.statusCode, withoutSecrets(result, rules.hides ?? [])),
    );
    return result;
  }

  /** When recording fails, a repetition is answered as unknown; this response is not affected. */
  private async tryRecord(recording: Promise<void>): Promise<void> {
    await recording.catch((error: unknown) =>
      this.logger.warn({ err: error }, 'The outcome of a request with an idempotency key was not recorded'),
    );
  }
}

function valuesOf(params: object): Record<string, string> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]));
}

function digest(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

function withoutSecrets(response: unknown, hidden: readonly string[]): string {
  return JSON.stringify(response, (name, value: unknown) => (hidden.includes(name) ? null : value));
}
