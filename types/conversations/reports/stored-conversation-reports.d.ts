import type { EntityManager } from 'typeorm';
import { DomainEvents } from '../../domain-events';
import { ConversationRepository } from '../record/conversation.repository';
import { ConversationReports, type ForeignStart, type ReportedConversation, type ReportedState } from './conversation-reports';
/** Takes the reports of agent servers into the records. */
export declare class StoredConversationReports extends ConversationReports {
    private readonly conversations;
    private readonly events;
    constructor(conversations: ConversationRepository, events: DomainEvents);
    find(transaction: EntityManager, conversationId: string): Promise<ReportedConversation | undefined>;
    adopt(transaction: EntityManager, start: ForeignStart): Promise<void>;
    apply(transaction: EntityManager, conversationId: string, { executionStatus, title, llmModel, agentKind, metrics, hasNewEvents }: ReportedState): Promise<void>;
    orgOf(transaction: EntityManager, conversationId: string): Promise<string | undefined>;
    idsReadyIn(transaction: EntityManager, sandboxId: string): Promise<string[]>;
    sandboxOf(conversationId: string): Promise<string | null>;
}
