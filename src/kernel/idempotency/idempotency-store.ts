import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Raw, Repository } from 'typeorm';
import { JobHandlers } from '../jobs';
import { IdempotencyKey } from './idempotency-key.entity';
import { claimKey, type EarlierRow, LIFETIME, selectEarlier } from './idempotency.query';

const CLEAN_UP_SECONDS = 3_600;

/** A request with a key: the user, the key in its scope, and the body, as digests. */
export interface KeyedRequest {
  readonly userId: string;
  readonly keyDigest: string;
  /** Under which an earlier request may have come with the same key. */
  readonly earlierDigests: readonly string[];
  readonly requestDigest: string;
  /** The organization, or the resource in one. */
  readonly scopeId: string;
}

/** The state of an earlier request with the key. */
type EarlierRequest =
  | { readonly kind: 'none' }
  | { readonly kind: 'other' | 'working' | 'unknown' }
  | { readonly kind: 'answered'; readonly status: number; readonly answer: string };

/** Stores which request used which key, and its response. */
@Injectable()
export class IdempotencyStore {
  constructor(
    @InjectRepository(IdempotencyKey) private readonly keys: Repository<IdempotencyKey>,
    handlers: JobHandlers,
  ) {
    handlers.every('idempotency-clean-up', CLEAN_UP_SECONDS, () => this.deleteExpired());
  }

  /** Claims the key for a request. @returns `none` when the request is the first, and is to be worked on */
  async begin(request: KeyedRequest): Promise<EarlierRequest> {
    for (const keyDigest of request.earlierDigests) {
      const row = await selectEarlier(this.keys.manager, { ...request, keyDigest });
      if (row !== null) return this.stateOf(row, request);
    }
    if (await claimKey(this.keys.manager, request)) return { kind: 'none' };
    const row = await selectEarlier(this.keys.manager, request);
    // Released concurrently; the next retry counts as the first request.
    return row === null ? { kind: 'working' } : this.stateOf(row, request);
  }

  private stateOf(row: EarlierRow, request: KeyedRequest): EarlierRequest {
    if (row.request_digest !== request.requestDigest) return { kind: 'other' };
    if (row.state === 'answered' && row.status !== null && row.answer !== null)
      return { kind: 'answered', status: row.status, answer: row.answer };
    return { kind: row.state === 'working' && !row.overdue ? 'working' : 'unknown' };
  }

  /** Records the response of a request. */
  async recordResponse(request: KeyedRequest, status: number, answer: string): Promise<void> {
    await this.keys.update(inProgress(request), { state: 'answered', status, answer });
  }

  /** Records that the request may have had its effect. */
  async recordUnknown(request: KeyedRequest): Promise<void> {
    await this.keys.update(inProgress(request), { state: 'unknown' });
  }

  /** Releases the key of a request that had no effect. */
  async release(request: KeyedRequest): Promise<void> {
    await this.keys.delete(inProgress(request));
  }

  /** Forgets the keys of a user. */
  async forget(userId: string): Promise<void> {
    await this.keys.delete({ userId });
  }

  /** Forgets what a user was answered: their keys cannot be used for anything else. */
  async forgetAnswers(userId: string): Promise<void> {
    await this.keys.update({ userId, state: 'answered' }, { state: 'unknown', status: null, answer: null });
  }

  private async deleteExpired(): Promise<void> {
    await this.keys.delete({ createdAt: Raw((column) => `${column} < now() - ${LIFETIME}`) });
  }
}

function inProgress({ userId, keyDigest }: KeyedRequest) {
  return { userId, keyDigest, state: 'working' as const };
}
