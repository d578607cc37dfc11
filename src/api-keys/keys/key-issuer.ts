import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { digestOf } from '../../common';
import { displayPrefix, newKey } from './key-format';

export interface KeyRequest {
  readonly userId: string;
  /** The organization it is bound to; null for a key that works in all of its user's. */
  readonly orgId: string | null;
  readonly name?: string | null;
  readonly notBefore?: Date | null;
  readonly expiresAt?: Date | null;
  /** A well-formed key chosen by the operator, instead of a random one. */
  readonly key?: string;
}

/** A key just made: the only moment its text is known. */
export interface IssuedKey {
  readonly id: number;
  readonly key: string;
  readonly createdAt: Date;
}

/** Makes keys; who may have one is checked by the caller. */
@Injectable()
export class KeyIssuer {
  /** Stores the digest of a key in the caller's transaction (docs/contract.md#key-format). */
  async issue(transaction: EntityManager, request: KeyRequest): Promise<IssuedKey> {
    const key = request.key ?? newKey();
    const [row] = await transaction.query<[{ id: number; created_at: Date }]>(
      `INSERT INTO api_keys (user_id, org_id, name, prefix, digest, not_before, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id, created_at`,
      [
        request.userId,
        request.orgId,
        request.name ?? null,
        displayPrefix(key),
        digestOf(key),
        request.notBefore ?? null,
        request.expiresAt ?? null,
      ],
    );
    return { id: row.id, key, createdAt: row.created_at };
  }

  /** Ends every key of a user; the caller clears `AuthCaches` after its transaction. */
  async revokeAll(transaction: EntityManager, userId: string): Promise<void> {
    await transaction.query('DELETE FROM api_keys WHERE user_id = $1', [userId]);
  }
}
