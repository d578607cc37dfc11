import { Injectable } from '@nestjs/common';
import { InjectDataSource, InjectRepository } from '@nestjs/typeorm';
import { DataSource, type EntityManager, type FindOptionsWhere, IsNull, Repository } from 'typeorm';
import {
  AuthCaches,
  type Caller,
  KeyBoundElsewhereError,
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
import { KeyIssuer } from './keys/key-issuer';
import { KeyPolicies } from './keys/key-policies';

/** How many keys one user may have, beside those that other services were given for them. */
export const MAX_KEYS = 1000;

/** The columns of a key that are shown. */
type ShownKey = Pick<
  ApiKey,
  'id' | 'name' | 'createdAt' | 'lastUsedAt' | 'notBefore' | 'expiresAt' | 'orgId'
>;

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
   * Issues a key for the caller.
   * @throws KeyExpiryInvalidError, KeyOutlivesMakerError, KeyBoundElsewhereError, NotAMemberError,
   *   TooManyKeysError; what the policy of an extension throws
   */
  async create(caller: Caller, org: OrgContext, request: ApiKeyCreate): Promise<ApiKeyCreated> {
    const { not_before, expires_at } = request;
    const orgId = request.org_id === undefined ? org.orgId : request.org_id;
    const wanted = { orgId, notBefore: not_before, expiresAt: expires_at };
    this.policies.checkTimes(caller, wanted);
    await this.checkBinding(caller, orgId);
    await this.policies.check(caller, wanted);
    const name = request.name === null ? null : cutText(request.name, MAX_KEY_NAME);
    const issued = await this.database.transaction(async (transaction) => {
      await this.checkCount(transaction, caller.userId);
      return this.issuer.issue(transaction, {
        userId: caller.userId,
        orgId,
        name,
        notBefore: not_before,
        expiresAt: expires_at,
        letInBy: caller.letInBy,
      });
    });
    this.caches.clear();
    const { id, key, createdAt } = issued;
    const shown = {
      id,
      name,
      createdAt,
      lastUsedAt: null,
      notBefore: not_before,
      expiresAt: expires_at,
      orgId,
    };
    return { ...toResponse(shown), key };
  }

  /**
   * Revokes a key of the caller; later requests with it are 401. With one that came of an administrator's link, all that came
   * of that administrator's links.
   */
  async revoke(caller: Caller, keyText: string): Promise<ApiKeyRevoked> {
    const keyId = serialId(keyText);
    if (keyId === null) throw new KeyNotFoundError();
    const key = await this.keys.findOneBy({ ...ownKeys(caller), id: keyId });
    if (key === null) throw new KeyNotFoundError();
    const { orgId, letInByUserId } = key;
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
      auth_type: 'api_key',
    };
  }

  private async checkBinding(caller: Caller, orgId: string | null): Promise<void> {
    if (caller.boundOrgId !== null && orgId !== caller.boundOrgId) throw new KeyBoundElsewhereError();
    if (orgId !== null && (await this.members.roleOf(caller.userId, orgId)) === null)
      throw new NotAMemberError();
  }

  /** Counts under a lock of the user, so that concurrent calls cannot exceed the limit. */
  private async checkCount(transaction: EntityManager, userId: string): Promise<void> {
    await this.locks.user(transaction, userId);
    const count = await transaction.withRepository(this.keys).countBy({ userId, isOfService: false });
    if (count >= MAX_KEYS) throw new TooManyKeysError(MAX_KEYS);
  }
}

/** The keys that a caller sees and revokes: for a bound key those of its organization. */
function ownKeys({ userId, boundOrgId }: Caller): FindOptionsWhere<ApiKey> {
  return { userId, ...(boundOrgId !== null && { orgId: boundOrgId }) };
}

function toResponse(key: ShownKey) {
  return {
    id: key.id,
    name: key.name,
    created_at: key.createdAt.toISOString(),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    not_before: key.notBefore?.toISOString() ?? null,
    expires_at: key.expiresAt?.toISOString() ?? null,
    org_id: key.orgId,
  };
}
