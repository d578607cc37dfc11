import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, Repository } from 'typeorm';
import { type DomainEventOf, OnDomainEvent } from '../../../kernel/domain-events';
import { Accounts } from '../../orgs';
import { ScimUser } from '../record/scim-user.entity';

/** Keeps what a directory said in step with memberships that begin without it, which they do once it has no token any more. */
@Injectable()
export class LetInElsewhere {
  constructor(
    @InjectRepository(ScimUser) private readonly users: Repository<ScimUser>,
    private readonly accounts: Accounts,
  ) {}

  @OnDomainEvent('member.added')
  async note(
    { org_id: orgId, user_id: userId }: DomainEventOf<'member.added'>,
    transaction: EntityManager,
  ): Promise<void> {
    const account = await this.accounts.findById(transaction, userId);
    if (account === null) return;
    const { email } = account;
    if (email === null) return;
    await transaction
      .withRepository(this.users)
      .update({ orgId, email, active: false, deletedAt: IsNull() }, { active: true });
  }
}
