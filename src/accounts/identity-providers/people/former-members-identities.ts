import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type DomainEventOf, OnDomainEvent } from '../../../kernel/domain-events';
import { Accounts } from '../../orgs';
import { deleteIdentitiesIn } from './identities.query';

/**
 * Forgets who somebody was at the providers of an organization when they leave it, as whoever gets their address there is another
 * person; and what they bound to service accounts, for which they answer no more.
 */
@Injectable()
export class FormerMembersIdentities {
  constructor(private readonly accounts: Accounts) {}

  @OnDomainEvent('member.removed')
  async forget(
    { org_id, user_id }: DomainEventOf<'member.removed'>,
    transaction: EntityManager,
  ): Promise<void> {
    const account = await this.accounts.findById(transaction, user_id);
    if (account !== null) await deleteIdentitiesIn(transaction, org_id, account);
  }
}
