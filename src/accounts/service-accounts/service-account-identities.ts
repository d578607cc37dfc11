import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { AuthCaches, type Caller, type OrgContext } from '../../kernel/auth';
import { DomainEvents } from '../../kernel/domain-events';
import { KeyPolicies } from '../api-keys';
import { BoundIdentities } from '../identity-providers';
import { LockedStandings } from '../orgs';
import type { ServiceAccountIdentityUpdate, ServiceAccountResponse } from './service-accounts.dto';
import { ServiceAccountIdentityNotFoundError } from './service-accounts.errors';
import type { ServiceAccountRow } from './service-accounts.read-model';
import { findServiceAccount, ServiceAccounts } from './service-accounts.service';

/**
 * Subjects of the organization's providers whose tokens act for service accounts: as keys do, within what who bound them may, and until
 * they leave (docs/provider-tokens.md#service-accounts).
 */
@Injectable()
export class ServiceAccountIdentities {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly accounts: ServiceAccounts,
    private readonly identities: BoundIdentities,
    private readonly policies: KeyPolicies,
    private readonly standings: LockedStandings,
    private readonly events: DomainEvents,
    private readonly caches: AuthCaches,
  ) {}

  /**
   * Binds a subject in place of the one before; the caller answers for it.
   * @throws KeyExceedsMakerError, KeyOutlivesMakerError, KeyAgainstRulesError, ServiceAccountNotFoundError, ProviderNotFoundError,
   *   IdentityTakenError, NotAMemberError; what the policy of an extension throws
   */
  async bind(
    caller: Caller,
    { orgId }: OrgContext,
    accountId: string,
    { provider_id: providerId, subject }: ServiceAccountIdentityUpdate,
  ): Promise<ServiceAccountResponse> {
    await this.policies.checkUnbounded(caller, orgId);
    const bound = await this.database.transaction(async (transaction) => {
      await this.standings.of(transaction, orgId, caller);
      const row = await findServiceAccount(transaction, orgId, accountId);
      const wanted = { providerId, subject, userId: row.user_id, boundByUserId: caller.userId };
      if (await this.identities.bind(transaction, orgId, wanted))
        await this.publishChange(transaction, orgId, caller, row);
      return findServiceAccount(transaction, orgId, row.user_id);
    });
    this.caches.clear();
    return this.accounts.toResponse(bound);
  }

  /** Tokens act for it no longer, from the next request on. @throws ServiceAccountNotFoundError, ServiceAccountIdentityNotFoundError */
  async unbind(caller: Caller, { orgId }: OrgContext, accountId: string): Promise<void> {
    await this.database.transaction(async (transaction) => {
      await this.standings.of(transaction, orgId, caller);
      const row = await findServiceAccount(transaction, orgId, accountId);
      if (!(await this.identities.unbind(transaction, orgId, row.user_id)))
        throw new ServiceAccountIdentityNotFoundError();
      await this.publishChange(transaction, orgId, caller, row);
    });
    this.caches.clear();
  }

  private async publishChange(
    transaction: EntityManager,
    orgId: string,
    { userId }: Caller,
    { user_id: accountId }: ServiceAccountRow,
  ): Promise<void> {
    await this.events.publish(transaction, {
      kind: 'service_account.updated',
      org_id: orgId,
      service_account_id: accountId,
      user_id: userId,
      fields: ['identity'],
    });
  }
}
