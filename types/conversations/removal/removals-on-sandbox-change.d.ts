import type { EntityManager } from 'typeorm';
import { type DomainEventOf } from '../../domain-events';
import { JobQueue } from '../../jobs';
import { SharedServers } from '../../sandboxes';
import { ConversationRepository } from '../record/conversation.repository';
import { ConversationRemovals } from './conversation-removals';
import { ConversationRemovalsRepository } from './conversation-removals.repository';
/** Removes what deleted sandboxes leave at a shared server, and what waits for a sandbox to run again, or to go. */
export declare class RemovalsOnSandboxChange {
    private readonly conversations;
    private readonly removals;
    private readonly waiting;
    private readonly servers;
    private readonly jobs;
    constructor(conversations: ConversationRepository, removals: ConversationRemovals, waiting: ConversationRemovalsRepository, servers: SharedServers, jobs: JobQueue);
    followSandbox({ sandbox_id, status, stopping }: DomainEventOf<'sandbox.status_changed'>, transaction: EntityManager): Promise<void>;
    private onStopping;
    private onSettled;
}
