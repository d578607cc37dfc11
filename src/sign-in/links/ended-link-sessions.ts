import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { KeyIssuer } from '../../api-keys';
import { digestOf } from '../../common';
import { type DomainEventOf, OnDomainEvent } from '../../domain-events';
import { linkStandIn } from '../session/sign-in.service';

/**
 * Ends sessions of administrators' links when their person gets another role: whoever was given such a link has what its maker
 * outranked, and no more.
 */
@Injectable()
export class EndedLinkSessions {
  constructor(private readonly keys: KeyIssuer) {}

  @OnDomainEvent('member.role_changed')
  async end(
    { org_id: orgId, user_id: userId }: DomainEventOf<'member.role_changed'>,
    transaction: EntityManager,
  ): Promise<void> {
    await this.keys.revoke(transaction, { digest: digestOf(linkStandIn({ orgId, userId })) });
  }
}
