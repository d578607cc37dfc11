import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DomainEvents } from '../../../kernel/domain-events';
import { ConversationRepository } from '../record/conversation.repository';
import type { ForeignStart, ReportedConversation, ReportedState } from './reported-state';
import { ADOPT_CONVERSATION, APPLY_REPORT } from './conversation-reports.query';
import { REPORTED_CONVERSATION } from './reported-conversation.read-model';

/** Takes the reports of agent servers into the records. */
@Injectable()
export class ConversationReports {
  constructor(
    private readonly conversations: ConversationRepository,
    private readonly events: DomainEvents,
  ) {}

  /** @returns undefined for an id that no conversation has, or had */
  async find(transaction: EntityManager, conversationId: string): Promise<ReportedConversation | undefined> {
    const [row] = await REPORTED_CONVERSATION.rows(transaction, [conversationId]);
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
  async apply(
    transaction: EntityManager,
    conversationId: string,
    { executionStatus, title, llmModel, agentKind, metrics, hasNewEvents }: ReportedState,
  ): Promise<void> {
    const written = await APPLY_REPORT.rows(transaction, [
      conversationId,
      executionStatus,
      title,
      llmModel,
      agentKind,
      metrics?.cost,
      metrics?.prompt,
      metrics?.completion,
      metrics?.cacheRead,
      metrics?.cacheWrite,
      metrics?.reasoning,
      metrics?.contextWindow,
      metrics?.perTurn,
      hasNewEvents ?? false,
    ]);
    if (written.length === 0) return;
    const ofStatus = executionStatus === undefined ? [] : ['conversation.status_changed' as const];
    await this.events.publishLogged(transaction, 'conversation.updated', ...ofStatus);
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
