import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { SETTINGS, type Settings } from '../../../kernel/config';
import { DomainEvents } from '../../../kernel/domain-events';
import { ConversationRepository } from '../record/conversation.repository';
import {
  type ForeignStart,
  type ReportedConversation,
  type ReportedState,
  reportKinds,
  reportValues,
} from './reported-state';
import { ConversationActivity } from './conversation-activity';
import { ADOPT_CONVERSATION, APPLY_REPORT } from './conversation-reports.query';
import { REPORTED_CONVERSATION } from './reported-conversation.read-model';

/** Takes the reports of agent servers into the records. */
@Injectable()
export class ConversationReports {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly conversations: ConversationRepository,
    private readonly events: DomainEvents,
    private readonly activity: ConversationActivity,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** @returns undefined for an id that no conversation has, or had */
  async find(conversationId: string, transaction?: EntityManager): Promise<ReportedConversation | undefined> {
    const [row] = await (transaction === undefined
      ? REPORTED_CONVERSATION.rows(this.database, [conversationId])
      : REPORTED_CONVERSATION.rowsIn(transaction, [conversationId]));
    return row;
  }

  /** Makes, and publishes, a record of a conversation that the service did not start; does nothing when it has one. */
  async adopt(transaction: EntityManager, start: ForeignStart): Promise<void> {
    const { conversationId, orgId, createdByUserId, sandboxId } = start;
    const values = [conversationId, orgId, createdByUserId, sandboxId];
    const made = await ADOPT_CONVERSATION.rows(transaction, values);
    if (made.length > 0)
      await this.events.publish(transaction, {
        kind: 'conversation.created',
        org_id: orgId,
        conversation_id: conversationId,
        created_by_user_id: createdByUserId,
        parent_conversation_id: null,
        sandbox_id: sandboxId,
      });
  }

  /**
   * Writes a report into the record (docs/contract.md#inbound-webhooks). Metrics never go backwards; what was not
   * reported stays. A title counts unless the agent server reported it last, or was given it: else its old one, or a
   * shortened one, would undo what a user wrote here.
   */
  async apply(transaction: EntityManager, conversationId: string, report: ReportedState): Promise<void> {
    const [applied] = await APPLY_REPORT.rowsIn(transaction, [
      conversationId,
      ...reportValues(report),
      report.hasNewEvents ?? false,
      this.settings.MODEL_GATEWAY === 'on',
    ]);
    if (applied?.written === true) await this.events.publishLogged(transaction, ...reportKinds(report));
  }

  /** Has `updated_at` move, since new events were stored without {@link apply}; in a moment, and in the background. */
  touch(conversationId: string): void {
    this.activity.touch(conversationId);
  }

  /** The ids of the conversations in a sandbox that its agent server knows. */
  idsReadyIn(transaction: EntityManager, sandboxId: string): Promise<string[]> {
    return this.conversations.idsReadyIn(sandboxId, transaction);
  }

  /** The sandbox of a conversation that is not deleted; null without one. */
  async sandboxOf(conversationId: string): Promise<string | null> {
    return (await this.conversations.find(conversationId))?.sandboxId ?? null;
  }
}
