import { Injectable } from '@nestjs/common';
import { type EntityManager, type FindOptionsWhere, In } from 'typeorm';
import { digestOf } from '../../../kernel/common';
import { DomainEvents } from '../../../kernel/domain-events';
import { ApiKey } from './api-key.entity';
import { displayPrefix, newKey } from './key-format';

export interface KeyRequest {
  readonly userId: string;
  /** The organization it is bound to; null for a key that works in all of its user's organizations. */
  readonly orgId: string | null;
  readonly name?: string | null;
  readonly notBefore?: Date | null;
  readonly expiresAt?: Date | null;
  /** Whether it is for another service. */
  readonly isOfService?: boolean;
  /** The administrator whose link let in who gets it; absent for nobody. */
  readonly letInBy?: string | null;
  /** The provider of identities that lets in whom it stands for; absent for every other key. */
  readonly identityProviderId?: string | null;
  /** Who makes it, and answers for it, for a service account; absent for keys of people. */
  readonly madeBy?: string | null;
  /** The permissions that it can use at most; absent for all of its user. */
  readonly scopes?: readonly string[] | null;
  /** The only addresses from which it counts; absent for all. */
  readonly addressRanges?: readonly string[] | null;
  /** A well-formed key chosen by the operator, instead of a random one. */
  readonly key?: string;
}

/** A key just issued: the only moment its text is known. */
export interface IssuedKey {
  readonly id: number;
  readonly key: string;
  readonly createdAt: Date;
  /** What is kept of it. @internal */
  readonly row: ApiKey;
}

/** A key of a user, as it is kept: without its text. */
export type KeptKey = Omit<ApiKey, 'digest'>;

/** Issues and revokes keys; callers check permissions. */
@Injectable()
export class KeyIssuer {
  constructor(private readonly events: DomainEvents) {}

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
      isOfService: request.isOfService ?? false,
      letInByUserId: request.letInBy ?? null,
      identityProviderId: request.identityProviderId ?? null,
      madeByUserId: request.madeBy ?? null,
      scopes: request.scopes?.slice() ?? null,
      addressRanges: request.addressRanges?.slice() ?? null,
    });
    await transaction.getRepository(ApiKey).insert(row);
    await this.events.publish(transaction, {
      kind: 'api_key.created',
      org_id: row.orgId,
      user_id: row.userId,
      api_key_id: row.id,
    });
    return { id: row.id, key, createdAt: row.createdAt, row };
  }

  /** All keys of a user but those that other services were given, oldest first. */
  keysOf(database: EntityManager, userId: string): Promise<KeptKey[]> {
    return database
      .getRepository(ApiKey)
      .find({ where: { userId, isOfService: false }, order: { id: 'ASC' } });
  }

  /**
   * Revokes matching keys; the caller clears `AuthCaches` after its transaction.
   * @returns false if none matched
   */
  async revoke(
    transaction: EntityManager,
    which: FindOptionsWhere<ApiKey> | FindOptionsWhere<ApiKey>[],
  ): Promise<boolean> {
    const repository = transaction.getRepository(ApiKey);
    const keys = await repository.find({
      where: which,
      select: { id: true, userId: true, orgId: true },
      lock: { mode: 'pessimistic_write' },
    });
    if (keys.length === 0) return false;
    await repository.delete({ id: In(keys.map(({ id }) => id)) });
    await this.events.publish(
      transaction,
      ...keys.map(({ id, userId, orgId }) => ({
        kind: 'api_key.revoked' as const,
        org_id: orgId,
        user_id: userId,
        api_key_id: id,
      })),
    );
    return true;
  }
}
