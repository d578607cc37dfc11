import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { type DomainEventOf, OnDomainEvent } from '../../../src/kernel/domain-events';
import { Accounts } from '../../../src/accounts/orgs';
import { AnnouncementsService } from './announcements.service';

/** Announces new members of an organization. */
@Injectable()
export class WelcomeListener {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly accounts: Accounts,
    private readonly announcements: AnnouncementsService,
  ) {}

  /** Called as a job once the membership is committed, maybe more than once: the member's id keeps it to one. */
  @OnDomainEvent('member.added', { after: 'commit', name: 'announcements:welcome' })
  async welcome({ org_id, user_id }: DomainEventOf<'member.added'>): Promise<void> {
    const account = await this.accounts.findById(this.database.manager, user_id);
    if (account !== null)
      this.announcements.add(org_id, { text: `${account.email} has joined.`, links: [] }, user_id);
  }
}
