import { DataSource, type EntityManager } from 'typeorm';
import { Clock } from '../../common';
import { JobQueue } from '../../jobs';
import { SharedServers } from '../../sandboxes';
import type { FamilyMember } from '../record/conversation.query';
import type { ConversationRemoval } from './conversation-removal.entity';
import { ConversationRemovalsRepository } from './conversation-removals.repository';
/** Has deleted conversations removed from their agent servers (docs/sandboxes.md#deleted-conversations). */
export declare class ConversationRemovals {
    private readonly database;
    private readonly removals;
    private readonly servers;
    private readonly jobs;
    private readonly clock;
    constructor(database: DataSource, removals: ConversationRemovalsRepository, servers: SharedServers, jobs: JobQueue, clock: Clock);
    /**
     * Removes conversations once the transaction commits, or when their agent server answers again.
     * @param deletesSandbox whether the sandbox is deleted as well, with an agent server that is its own
     */
    add(transaction: EntityManager, sandboxId: string, conversations: readonly Pick<FamilyMember, 'id' | 'startTaskId'>[], deletesSandbox: boolean): Promise<void>;
    /** Has another look at one that a start may still make. */
    lookAgain({ conversationId, baseUrl }: ConversationRemoval): Promise<void>;
    find(conversationId: string): Promise<ConversationRemoval | null>;
    /** Nothing is left of it. */
    end(conversationId: string): Promise<void>;
    /**
     * Removes a conversation that was deleted before: its start, which was under way, may have made it since, or a
     * replica of the first release deleted it.
     */
    addDeleted(conversation: Pick<FamilyMember, 'id' | 'startTaskId'>, sandboxId: string): Promise<void>;
}
