import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { AuthCaches, type Caller, type OrgContext } from '../../kernel/auth';
import { cutText, serialId } from '../../kernel/common';
import {
  type KeptKey,
  type KeyCreate,
  KeyIssuer,
  KeyPolicies,
  MAX_KEY_NAME,
  toKeyResponse,
} from '../api-keys';
import { LockedStandings } from '../orgs';
import type {
  ServiceAccountKey,
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
    private readonly caches: AuthCaches,
  ) {}

  /** All of one service account, oldest first. @throws ServiceAccountNotFoundError */
  async list({ orgId }: OrgContext, accountId: string): Promise<ServiceAccountKeyList> {
    const { user_id: userId } = await findServiceAccount(this.database.manager, orgId, accountId);
    const keys = await this.issuer.keysOf(this.database.manager, userId);
    return { items: keys.map(toResponse) };
  }

  /**
   * Makes one, for which the caller answers.
   * @throws KeyScopeUnknownError, AddressRangeInvalidError, KeyExpiryInvalidError, KeyOutlivesMakerError, KeyExceedsMakerError,
   *   KeyAgainstRulesError, ServiceAccountNotFoundError, TooManyServiceAccountKeysError, NotAMemberError; what the policy of an extension throws
   */
  async create(
    caller: Caller,
    { orgId }: OrgContext,
    accountId: string,
    body: KeyCreate,
  ): Promise<ServiceAccountKeyCreated> {
    const wanted = this.policies.wanted(caller, orgId, body);
    this.policies.checkTimes(caller, wanted);
    this.policies.checkReach(caller, wanted);
    await this.policies.check(caller, wanted);
    const name = body.name === null ? null : cutText(body.name, MAX_KEY_NAME);
    const { row, key } = await this.database.transaction(async (transaction) => {
      await this.standings.of(transaction, orgId, caller);
      const { user_id: userId } = await findServiceAccount(transaction, orgId, accountId);
      const keys = await this.issuer.keysOf(transaction, userId);
      if (keys.length >= MAX_SERVICE_ACCOUNT_KEYS)
        throw new TooManyServiceAccountKeysError(MAX_SERVICE_ACCOUNT_KEYS);
      return this.issuer.issue(transaction, { ...wanted, userId, name, madeBy: caller.userId });
    });
    this.caches.clear();
    return Object.assign(toResponse(row), { key });
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
}

function toResponse(key: KeptKey): ServiceAccountKey {
  return Object.assign(toKeyResponse(key), { made_by_user_id: key.madeByUserId });
}
