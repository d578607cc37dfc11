import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager, IsNull } from 'typeorm';
import { AuthCaches, type Caller } from '../../../kernel/auth';
import { Clock } from '../../../kernel/common';
import { DomainEvents } from '../../../kernel/domain-events';
import type { ApiKeyCreated } from '../api-keys.dto';
import { KeyNotRotatableError } from '../api-keys.errors';
import { ApiKeysService, toCreated } from '../api-keys.service';
import { BrowserSession } from '../browser-sessions/browser-session.entity';
import { ApiKey } from '../keys/api-key.entity';
import { isKeyPrefix } from '../keys/key-format';
import { KeyIssuer } from '../keys/key-issuer';

/** Replaces keys by others that are like them (docs/contract.md#rotating-a-key). */
@Injectable()
export class KeyRotation {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly keys: ApiKeysService,
    private readonly issuer: KeyIssuer,
    private readonly caches: AuthCaches,
    private readonly events: DomainEvents,
    private readonly clock: Clock,
  ) {}

  /**
   * Replaces a key of the caller by one that is like it; the old one ends after a grace time, if not before.
   * @throws KeyNotFoundError, KeyNotRotatableError, TooManyKeysError; where the key reaches further than the caller's, and
   *   where it may not be made any more, what `ApiKeysService.create` throws
   */
  async rotate(caller: Caller, keyText: string, graceSeconds: number): Promise<ApiKeyCreated> {
    const old = await this.keys.ownKey(caller, keyText);
    const now = this.clock.now();
    if (!isRotatable(old, now)) throw new KeyNotRotatableError();
    const { id, userId, orgId, name, scopes, addressRanges, expiresAt } = old;
    const wanted = { orgId, notBefore: null, expiresAt, scopes, addressRanges };
    await this.keys.checkWanted(caller, wanted);
    const graceEnd = new Date(now.getTime() + graceSeconds * 1_000);
    const endsAt = expiresAt !== null && expiresAt < graceEnd ? expiresAt : graceEnd;
    const issued = await this.database.transaction(async (transaction) => {
      await this.keys.checkCount(transaction, userId);
      await endRotated(transaction, id, { now, endsAt });
      const letInBy = caller.letInBy ?? old.letInByUserId;
      const made = await this.issuer.issue(transaction, { ...wanted, userId, name, letInBy });
      await this.events.publish(transaction, {
        kind: 'api_key.rotated',
        org_id: orgId,
        user_id: userId,
        api_key_id: id,
        new_api_key_id: made.id,
        ends_at: endsAt.toISOString(),
      });
      if (graceSeconds === 0) await this.issuer.revoke(transaction, { id });
      return made;
    });
    this.caches.clear();
    return toCreated(issued);
  }
}

/** Of two calls at once, one rotates the key. @throws KeyNotRotatableError for the other */
async function endRotated(
  transaction: EntityManager,
  id: number,
  { now, endsAt }: { readonly now: Date; readonly endsAt: Date },
): Promise<void> {
  const ended = await transaction
    .getRepository(ApiKey)
    .update({ id, rotatedAt: IsNull() }, { rotatedAt: now, expiresAt: endsAt });
  if (ended.affected !== 1) throw new KeyNotRotatableError();
  const sessions = transaction.getRepository(BrowserSession);
  await sessions.update({ apiKeyId: id }, { credentialExpiresAt: endsAt });
}

/** Whether it is a key that somebody can send, and that works now, until it is revoked or ends by itself. */
function isRotatable({ prefix, isOfService, rotatedAt, notBefore, expiresAt }: ApiKey, now: Date): boolean {
  const isOwn = isKeyPrefix(prefix) && !isOfService;
  const works = (notBefore === null || notBefore <= now) && (expiresAt === null || expiresAt > now);
  return isOwn && rotatedAt === null && works;
}
