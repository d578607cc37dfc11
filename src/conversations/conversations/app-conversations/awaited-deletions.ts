import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { LegalHoldError } from '../../../accounts/legal-holds';
import { type DomainEventOf, OnDomainEvent } from '../../../kernel/domain-events';
import { AwaitedDeletion } from '../removal/awaited-deletion.entity';
import { ConversationDeletion } from './conversation-deletion';

/** Deletes what was to be deleted once a legal hold is lifted (docs/personal-data.md#legal-holds). */
@Injectable()
export class AwaitedDeletions {
  constructor(
    @InjectRepository(AwaitedDeletion) private readonly awaited: Repository<AwaitedDeletion>,
    private readonly deletion: ConversationDeletion,
  ) {}

  /** What another hold is in the way of goes on waiting. */
  @OnDomainEvent('legal_hold.lifted', { after: 'commit', name: 'legal-hold-lifted:conversations' })
  async deleteThem({ org_id: orgId }: DomainEventOf<'legal_hold.lifted'>): Promise<void> {
    for (const { conversationId } of await this.awaited.findBy({ orgId })) {
      try {
        await this.deletion.remove(conversationId);
        await this.awaited.delete({ conversationId });
      } catch (error) {
        if (!(error instanceof LegalHoldError)) throw error;
      }
    }
  }
}
