import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import {
  AuthCaches,
  type Caller,
  KeyScopeError,
  lacking,
  type OrgContext,
  type Permission,
  PermissionTable,
} from '../../kernel/auth';
import { serialId, storableText } from '../../kernel/common';
import { KeyIssuer, KeyPolicies, type KeptKey } from '../api-keys';
import { checkedPermissions, LockedStandings } from '../orgs';
import type {
  ServiceAccountKey,
  ServiceAccountKeyCreate,
  ServiceAccountKeyCreated,
  ServiceAccountKeyList,
} from './service-accounts.dto';
import { ServiceAccountKeyNotFoundError, TooManyServiceAccountKeysError } from './service-accounts.errors';
import { findServiceAccount } from './service-accounts.service';

/** How many keys one service account may have. */
export const MAX_SERVICE_ACCOUNT_KEYS = 100;

/** Keys of service accounts: each does no more than who made it may, and ends when they leave (docs/roles.md#service-accounts). */
@Injectable()
export class ServiceAccountKeys {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly issuer: KeyIssuer,
    private readonly policies: KeyPolicies,
    private readonly standings: LockedStandings,
    private readonly table: PermissionTable,
    private readonly caches: AuthCaches,
  ) {}

  /** All of one service account, oldest first. @throws ServiceAccountNotFoundError */
  async list({ orgId }: OrgContext, accountId: string): Promise<ServiceAccountKeyList> {
    const { user_id: userId } = await findServiceAccount(this.database.manager, orgId, accountId);
    const keys = await this.issuer.keysOf(this.database.manager, userId);
    return { items: keys.map((key) => this.toResponse(key)) };
  }

  /**
   * Makes one, for which the caller answers.
   * @throws ValidationError, KeyExpiryInvalidError, KeyOutlivesMakerError, KeyScopeError, ServiceAccountNotFoundError,
   *   TooManyServiceAccountKeysError, NotAMemberError; what the policy of an extension throws
   */
  async create(
    caller: Caller,
    { orgId }: OrgContext,
    accountId: string,
    body: ServiceAccountKeyCreate,
  ): Promise<ServiceAccountKeyCreated> {
    const { expires_at: expiresAt } = body;
    const scopes = body.scopes === null ? null : checkedPermissions(this.table, 'scopes', body.scopes);
    requireScopes(caller, scopes);
    const addressRanges = this.policies.addressRanges(caller, undefined);
    const wanted = { orgId, notBefore: null, expiresAt, scopes, addressRanges };
    this.policies.checkTimes(caller, wanted);
    await this.policies.check(caller, wanted);
    const name = body.name === null ? null : storableText(body.name);
    const made = await this.database.transaction(async (transaction) => {
      await this.standings.of(transaction, orgId, caller);
      const { user_id: userId } = await findServiceAccount(transaction, orgId, accountId);
      const keys = await this.issuer.keysOf(transaction, userId);
      if (keys.length >= MAX_SERVICE_ACCOUNT_KEYS)
        throw new TooManyServiceAccountKeysError(MAX_SERVICE_ACCOUNT_KEYS);
      const madeBy = caller.userId;
      return this.issuer.issue(transaction, {
        userId,
        orgId,
        name,
        expiresAt,
        scopes,
        addressRanges,
        madeBy,
      });
    });
    this.caches.clear();
    const { id, key, createdAt } = made;
    const shown = { id, name, createdAt, lastUsedAt: null, expiresAt, scopes, madeByUserId: caller.userId };
    return Object.assign(this.toResponse(shown), { key });
  }

  /** Later requests with it are 401. @throws ServiceAccountNotFoundError, ServiceAccountKeyNotFoundError */
  async revoke({ orgId }: OrgContext, accountId: string, keyText: string): Promise<void> {
    const { user_id: userId } = await findServiceAccount(this.database.manager, orgId, accountId);
    const id = serialId(keyText);
    const isRevoked =
      id !== null &&
      (await this.database.transaction((transaction) => this.issuer.revoke(transaction, { id, userId })));
    if (!isRevoked) throw new ServiceAccountKeyNotFoundError();
    this.caches.clear();
  }

  private toResponse(key: KeptKey): ServiceAccountKey {
    return {
      id: key.id,
      name: key.name,
      created_at: key.createdAt.toISOString(),
      last_used_at: key.lastUsedAt?.toISOString() ?? null,
      expires_at: key.expiresAt?.toISOString() ?? null,
      scopes: key.scopes === null ? null : this.table.known(key.scopes),
      made_by_user_id: key.madeByUserId,
    };
  }
}

/** @throws KeyScopeError for a key with scopes that would make one that can do more */
function requireScopes({ scopes: own }: Caller, wanted: readonly Permission[] | null): void {
  if (own === null) return;
  if (wanted === null) throw new KeyScopeError([]);
  const lacked = lacking(own, wanted);
  if (lacked.length > 0) throw new KeyScopeError(lacked);
}
