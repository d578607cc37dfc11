import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { JobHandlers } from '../jobs';

const LIFE = '24 hours';
/** No operation with keys takes longer: one that has not ended then died with its process. */
const LONGEST = '3 minutes';
const CLEAN_UP_SECONDS = 3_600;

/** Whose request, and what it asks. */
export interface KeyedRequest {
  readonly userId: string;
  readonly keyDigest: string;
  readonly requestDigest: string;
}

/** What is known of an earlier request with the key. */
export type EarlierRequest =
  | { readonly kind: 'none' }
  | { readonly kind: 'other' | 'working' | 'unknown' }
  | { readonly kind: 'answered'; readonly status: number; readonly answer: string };

interface KeyRow {
  readonly request_digest: string;
  readonly state: 'working' | 'answered' | 'unknown';
  readonly status: number | null;
  readonly answer: string | null;
  readonly overdue: boolean;
}

/** Keeps which requests came with which key, and what they were answered. */
@Injectable()
export class IdempotencyStore {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    handlers: JobHandlers,
  ) {
    handlers.every('idempotency-clean-up', CLEAN_UP_SECONDS, () => this.forgetOld());
  }

  /** Takes the key for a request. @returns `none` when the request is the first, and is to be worked on */
  async begin({ userId, keyDigest, requestDigest }: KeyedRequest): Promise<EarlierRequest> {
    const begun = await this.database.query<unknown[]>(
      `INSERT INTO idempotency_keys AS k (user_id, key_digest, request_digest, state)
       VALUES ($1, $2, $3, 'working')
       ON CONFLICT (user_id, key_digest) DO UPDATE
         SET request_digest = $3, state = 'working', status = NULL, answer = NULL, created_at = now()
         WHERE k.created_at < now() - $4::interval
       RETURNING 1`,
      [userId, keyDigest, requestDigest, LIFE],
    );
    if (begun.length > 0) return { kind: 'none' };
    const [row] = await this.database.query<KeyRow[]>(
      `SELECT request_digest, state, status, answer, created_at < now() - $3::interval AS overdue
         FROM idempotency_keys WHERE user_id = $1 AND key_digest = $2`,
      [userId, keyDigest, LONGEST],
    );
    // It was freed in this moment: the next repetition is the first.
    if (row === undefined) return { kind: 'working' };
    if (row.request_digest !== requestDigest) return { kind: 'other' };
    if (row.state === 'answered' && row.status !== null && row.answer !== null)
      return { kind: 'answered', status: row.status, answer: row.answer };
    return { kind: row.state === 'working' && !row.overdue ? 'working' : 'unknown' };
  }

  /** Keeps an answer. */
  async answered({ userId, keyDigest }: KeyedRequest, status: number, answer: string): Promise<void> {
    await this.database.query(
      `UPDATE idempotency_keys SET state = 'answered', status = $3, answer = $4
        WHERE user_id = $1 AND key_digest = $2 AND state = 'working'`,
      [userId, keyDigest, status, answer],
    );
  }

  /** Notes that the request may have had its effect. */
  async unknown({ userId, keyDigest }: KeyedRequest): Promise<void> {
    await this.database.query(
      `UPDATE idempotency_keys SET state = 'unknown'
        WHERE user_id = $1 AND key_digest = $2 AND state = 'working'`,
      [userId, keyDigest],
    );
  }

  /** Frees the key of a request that had no effect. */
  async free({ userId, keyDigest }: KeyedRequest): Promise<void> {
    await this.database.query(
      `DELETE FROM idempotency_keys WHERE user_id = $1 AND key_digest = $2 AND state = 'working'`,
      [userId, keyDigest],
    );
  }

  private async forgetOld(): Promise<void> {
    await this.database.query('DELETE FROM idempotency_keys WHERE created_at < now() - $1::interval', [LIFE]);
  }
}
