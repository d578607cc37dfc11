import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { digestOf } from '../../common';
import { ApiKey } from './api-key.entity';
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

/** A key just issued: the only moment its text is known. */
export interface IssuedKey {
  readonly id: number;
  readonly key: string;
  readonly createdAt: Date;
}

/** Issues and revokes keys; callers check who may. */
@Injectable()
export class KeyIssuer {
  /** Stores the digest of a key in the caller's transaction (docs/contract.md#key-format). */
  async issue(transaction: EntityManager, request: KeyRequest): Promise<IssuedKey> {
    const key = request.key ?? newKey();
    const row = transaction.getRepository(ApiKey).create({
      userId: request.userId,
      orgId: request.orgId,
      name: request.name ?? null,
      prefix: displayPrefix(key),
      digest: digestOf(key),
      notBefore: request.notBefore ?? null,
      expiresAt: request.expiresAt ?? null,
    });
    await transaction.getRepository(ApiKey).insert(row);
    return { id: row.id, key, createdAt: row.createdAt };
  }

  /** @returns false when there is no such key; the caller clears `AuthCaches` after its transaction */
  async revoke(transaction: EntityManager, id: number): Promise<boolean> {
    const { affected } = await transaction.getRepository(ApiKey).delete({ id });
    return affected === 1;
  }

  /** Ends every key of a user; the caller clears `AuthCaches` after its transaction. */
  async revokeAll(transaction: EntityManager, userId: string): Promise<void> {
    await transaction.getRepository(ApiKey).delete({ userId });
  }
}
