import { Injectable } from '@nestjs/common';
import { InjectDataSource, InjectRepository } from '@nestjs/typeorm';
import { DataSource, type EntityManager, type FindOptionsWhere, IsNull, Repository } from 'typeorm';
import {
  AuthCaches,
  type Caller,
  KeyBoundElsewhereError,
  kindOf,
  NotAMemberError,
  type OrgContext,
} from '../../kernel/auth';
import { cutText, serialId } from '../../kernel/common';
import { AccountLocks, MembershipService } from '../orgs';
import type {
  ApiKeyCreate,
  ApiKeyCreated,
  ApiKeyResponse,
  ApiKeyRevoked,
  CurrentApiKey,
} from './api-keys.dto';
import { KeyNotFoundError, TooManyKeysError } from './api-keys.errors';
import { ApiKey, MAX_KEY_NAME } from './keys/api-key.entity';
import { type IssuedKey, KeyIssuer, type KeptKey } from './keys/key-issuer';
import { isKeyPrefix } from './keys/key-format';
import { KeyPolicies, type WantedKey } from './keys/key-policies';

/** How many keys one user may have, beside those that other services were given for them. */
export const MAX_KEYS = 1000;

/** Users' own keys (docs/contract.md#api-keys). */
@Injectable()
export class ApiKeysService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    @InjectRepository(ApiKey) private readonly keys: Repository<ApiKey>,
    private readonly issuer: KeyIssuer,
    private readonly policies: KeyPolicies,
    private readonly locks: AccountLocks,
    private readonly members: MembershipService,
    private readonly caches: AuthCaches,
  ) {}

  /** The caller's keys, oldest first; for a bound key those of its organization. */
  async list(caller: Caller): Promise<ApiKeyResponse[]> {
    const keys = await this.keys.find({ where: ownKeys(caller), order: { id: 'ASC' } });
    return keys.map(toResponse);
  }

  /**
   * Checks a key that the caller would make, and makes none.
   * @throws KeyScopeUnknownError, AddressRangeInvalidError, KeyExpiryInvalidError, KeyOutlivesMakerError,
   *   KeyExceedsMakerError, KeyBoundElsewhereError, NotAMemberError; what the policy of an extension throws
   */
  async check(caller: Caller, org: OrgContext, request: ApiKeyCreate): Promise<WantedKey> {
    const orgId = request.org_id === undefined ? org.orgId : request.org_id;
    const wanted = this.policies.wanted(caller, orgId, request);
    await this.checkWanted(caller, wanted);
    return wanted;
  }

  /**
   * Issues a key for the caller.
   * @param within what belongs to the making, in its transaction, before all else
   * @throws TooManyKeysError, and what {@link check} throws
   */
  async create(
    caller: Caller,
    org: OrgContext,
    request: ApiKeyCreate,
    within?: (transaction: EntityManager) => Promise<void>,
  ): Promise<ApiKeyCreated> {
    const wanted = await this.check(caller, org, request);
    const name = request.name === null ? null : cutText(request.name, MAX_KEY_NAME);
    const issued = await this.database.transaction(async (transaction) => {
      await within?.(transaction);
      await this.checkCount(transaction, caller.userId);
      const { userId, letInBy } = caller;
      return this.issuer.issue(transaction, { ...wanted, userId, name, letInBy });
    });
    this.caches.clear();
    return toCreated(issued);
  }

  /**
   * Revokes a key of the caller; later requests with it are 401. With one that came of an administrator's link, all that came
   * of that administrator's links.
   */
  async revoke(caller: Caller, keyText: string): Promise<ApiKeyRevoked> {
    const { id: keyId, orgId, letInByUserId } = await this.ownKey(caller, keyText);
    const isOfLink = letInByUserId !== null && caller.letInBy === null;
    const isRevoked = await this.database.transaction((transaction) =>
      this.issuer.revoke(transaction, {
        ...ownKeys(caller),
        ...(isOfLink ? { orgId: orgId ?? IsNull(), letInByUserId } : { id: keyId }),
      }),
    );
    if (!isRevoked) throw new KeyNotFoundError();
    this.caches.clear();
    return { message: 'The key was revoked.' };
  }

  /** The key of this request. */
  current(caller: Caller, org: OrgContext): CurrentApiKey {
    return {
      id: caller.keyId,
      name: caller.keyName,
      org_id: org.orgId,
      bound_org_id: caller.boundOrgId,
      user_id: caller.userId,
      user_kind: kindOf(caller),
      auth_type: 'api_key',
      identity_provider_id: caller.identityProviderId,
    };
  }

  /**
   * A key of the caller.
   * @throws KeyNotFoundError
   * @internal
   */
  async ownKey(caller: Caller, keyText: string): Promise<ApiKey> {
    const id = serialId(keyText);
    const key = id === null ? null : await this.keys.findOneBy({ ...ownKeys(caller), id });
    if (key === null) throw new KeyNotFoundError();
    return key;
  }

  /**
   * Asserts that a caller may make a key.
   * @throws what {@link create} throws
   * @internal
   */
  async checkWanted(caller: Caller, wanted: WantedKey): Promise<void> {
    this.policies.checkTimes(caller, wanted);
    this.policies.checkReach(caller, wanted);
    await this.checkBinding(caller, wanted.orgId);
    await this.policies.check(caller, wanted);
  }

  private async checkBinding(caller: Caller, orgId: string | null): Promise<void> {
    if (caller.boundOrgId !== null && orgId !== caller.boundOrgId) throw new KeyBoundElsewhereError();
    if (orgId === null) return;
    const standing = await this.members.standingOf(caller.userId, orgId);
    if (standing === null) throw new NotAMemberError();
    this.policies.checkPlace(caller, standing);
  }

  /**
   * Counts under a lock of the user, so that concurrent calls cannot exceed the limit.
   * @throws TooManyKeysError
   * @internal
   */
  async checkCount(transaction: EntityManager, userId: string): Promise<void> {
    await this.locks.user(transaction, userId);
    const count = await transaction.withRepository(this.keys).countBy({ userId, isOfService: false });
    if (count >= MAX_KEYS) throw new TooManyKeysError(MAX_KEYS);
  }
}

/** The keys that a caller sees and revokes: for a bound key those of its organization. */
function ownKeys({ userId, boundOrgId }: Caller): FindOptionsWhere<ApiKey> {
  return { userId, ...(boundOrgId !== null && { orgId: boundOrgId }) };
}

/** A new key, as it is shown this once. @internal */
export function toCreated({ row, key }: IssuedKey): ApiKeyCreated {
  return Object.assign(toResponse(row), { key });
}

/** A key, as it is shown. */
export function toResponse(key: KeptKey): ApiKeyResponse {
  return {
    id: key.id,
    name: key.name,
    created_at: key.createdAt.toISOString(),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    not_before: key.notBefore?.toISOString() ?? null,
    expires_at: key.expiresAt?.toISOString() ?? null,
    org_id: key.orgId,
    prefix: isKeyPrefix(key.prefix) ? key.prefix : null,
    scopes: key.scopes,
    address_ranges: key.addressRanges,
  };
}
