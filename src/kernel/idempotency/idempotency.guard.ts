import { createHash } from 'node:crypto';
import { type CanActivate, type ExecutionContext, Injectable, Logger, type Type } from '@nestjs/common';
import { ModuleRef, Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { type Caller, requestIdentity } from '../auth';
import { AppError, appError, requestOf, responseOf } from '../common';
import { mayHaveCommitted } from '../database';
import { requestBodyText } from '../http';
import { IdempotencyStore, type KeyedRequest } from './idempotency-store';
import { isDoneOnce, setOnce } from './once';
import { ValidationError } from '../validation';

/** Metadata key of {@link IdempotencyRules}. */
export const IDEMPOTENCY = 'ocs:idempotency';

/** Longest `Idempotency-Key`. */
export const MAX_KEY_LENGTH = 255;

/** Decides, for a route whose path names a resource, whether the caller may reach it, and which one it is. */
export abstract class IdempotencyScope {
  /**
   * @param params the checked values of the path
   * @returns the resource's id, the same for all its spellings; behind it those that it had before it was made
   * @throws AppError as the operation itself does
   */
  abstract resourceOf(
    caller: Caller,
    params: Readonly<Record<string, string>>,
  ): Promise<readonly [id: string, ...earlier: string[]]>;
}

export interface IdempotencyRules {
  /** Needed where the route itself does not check an organization. */
  readonly scope?: Type<IdempotencyScope>;
  /** Secrets in the response: they are not stored, and are null in a replay. */
  readonly hides?: readonly string[];
}

const LOC = ['header', 'idempotency-key'];

/** 422: the key came before, with another body. */
export class IdempotencyKeyReusedError extends ValidationError {
  constructor(key: string) {
    super([
      {
        type: 'idempotency_key_reused',
        loc: LOC,
        msg: 'This key was used with another request; use a new one for each',
        input: key,
      },
    ]);
  }
}

/** 409: the first request with the key is being worked on. */
export const IdempotencyKeyInUseError = appError(
  409,
  'idempotency_key_in_use',
  'A request with this Idempotency-Key is being worked on; repeat it shortly for its answer.',
  { 'Retry-After': '1' },
);

/** 409: the first request with the key may have had its effect; it is not repeated. */
export const OutcomeUnknownError = appError(
  409,
  'outcome_unknown',
  'It is not known whether the request with this Idempotency-Key had its effect; look, and use a new key to try again.',
);

/**
 * Has an operation done once for each `Idempotency-Key` of a user, in an organization, on a route. That begins after
 * all guards: a caller who has lost access to the operation gets no replay of it either
 * (docs/decisions/0025-idempotency-keys.md).
 */
@Injectable()
export class IdempotencyGuard implements CanActivate {
  private readonly logger = new Logger('Idempotency');

  constructor(
    private readonly store: IdempotencyStore,
    private readonly reflector: Reflector,
    private readonly modules: ModuleRef,
  ) {}

  canActivate(context: ExecutionContext): true {
    const request = requestOf(context);
    const key = request.get('idempotency-key');
    if (key === undefined || key === '') return true;
    if (!isDoneOnce(context.getHandler()))
      throw new Error(`${context.getHandler().name} is not the handler that @Idempotent made.`);
    setOnce(request, (work) => this.once(key, context, work));
    return true;
  }

  private async once(key: string, context: ExecutionContext, work: () => Promise<unknown>): Promise<unknown> {
    const request = requestOf(context);
    const rules = this.reflector.get<IdempotencyRules>(IDEMPOTENCY, context.getHandler());
    const { caller, org } = requestIdentity(request);
    if (caller === undefined) throw new Error('Operations with idempotency keys need a caller.');
    const [scopeId, ...earlierIds] =
      org === undefined ? await this.resourceOf(rules, caller, valuesOf(request.params)) : [org.orgId];
    // The names of handlers are stored: renaming one would let every operation be repeated once.
    const keyDigest = (id: string): string => digest([id, context.getHandler().name, key]);
    const keyed: KeyedRequest = {
      userId: caller.userId,
      keyDigest: keyDigest(scopeId),
      earlierDigests: earlierIds.map(keyDigest),
      requestDigest: digest([requestBodyText(request)]),
      scopeId,
    };
    const earlier = await this.store.begin(keyed);
    const response = responseOf(context);
    switch (earlier.kind) {
      case 'none':
        return this.perform(keyed, rules, response, work);
      case 'answered':
        response.status(earlier.status).set('Idempotency-Replayed', 'true');
        return JSON.parse(earlier.answer) as unknown;
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
    work: () => Promise<unknown>,
  ): Promise<unknown> {
    let result: unknown;
    try {
      result = await work();
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
