import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DomainEvents } from '../../../kernel/domain-events';
import { publishChanges } from '../record/conversation-changes';
import { ConversationRepository } from '../record/conversation.repository';
import {
  ConversationReports,
  type ForeignStart,
  type ReportedConversation,
  type ReportedState,
} from './conversation-reports';
import { ADOPT_CONVERSATION, APPLY_REPORT } from './conversation-reports.query';
import { REPORTED_CONVERSATION } from './reported-conversation.read-model';

/** Takes the reports of agent servers into the records. */
@Injectable()
export class StoredConversationReports extends ConversationReports {
  constructor(
    private readonly conversations: ConversationRepository,
    private readonly events: DomainEvents,
  ) {
    super();
  }

  override async find(
    transaction: EntityManager,
    conversationId: string,
  ): Promise<ReportedConversation | undefined> {
    const [row] = await REPORTED_CONVERSATION.rows(transaction, [conversationId]);
    return row;
  }

  override async adopt(transaction: EntityManager, start: ForeignStart): Promise<void> {
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

  override async apply(
    transaction: EntityManager,
    conversationId: string,
    { executionStatus, title, llmModel, agentKind, metrics, hasNewEvents }: ReportedState,
  ): Promise<void> {
    const run = async (): Promise<void> => {
      await APPLY_REPORT.rows(transaction, [
        ...[conversationId, executionStatus, title, llmModel, agentKind],
        ...[metrics?.cost, metrics?.prompt, metrics?.completion, metrics?.cacheRead, metrics?.cacheWrite],
        ...[metrics?.reasoning, metrics?.contextWindow, metrics?.perTurn],
        hasNewEvents ?? false,
      ]);
    };
    const mayChangeStatus = executionStatus !== undefined;
    await publishChanges(this.events, transaction, { conversationId, mayChangeStatus, run });
  }

  override async orgOf(transaction: EntityManager, conversationId: string): Promise<string | undefined> {
    return (await this.find(transaction, conversationId))?.orgId;
  }

  override idsReadyIn(transaction: EntityManager, sandboxId: string): Promise<string[]> {
    return this.conversations.idsReadyIn(sandboxId, transaction);
  }

  override async sandboxOf(conversationId: string): Promise<string | null> {
    return (await this.conversations.find(conversationId))?.sandboxId ?? null;
  }
}
