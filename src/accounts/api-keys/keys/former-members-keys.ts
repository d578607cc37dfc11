import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type DomainEventOf, OnDomainEvent } from '../../../kernel/domain-events';
import { KeyIssuer } from './key-issuer';

/**
 * Revokes the keys bound to an organization when the membership ends, and those that the member made for service accounts: a new
 * membership does not restore them.
 */
@Injectable()
export class FormerMembersKeys {
  constructor(private readonly keys: KeyIssuer) {}

  @OnDomainEvent('member.removed')
  async revoke(
    { org_id, user_id }: DomainEventOf<'member.removed'>,
    transaction: EntityManager,
  ): Promise<void> {
    await this.keys.revoke(transaction, [
      { orgId: org_id, userId: user_id },
      { orgId: org_id, madeByUserId: user_id },
    ]);
  }
}
