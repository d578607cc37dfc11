import type { EntityManager } from 'typeorm';
import { AgentServerClient } from '../../agent-server';
import { JobHandlers, JobQueue } from '../../jobs';
import { SandboxReader } from '../../sandboxes';
import { ConversationRepository } from '../record/conversation.repository';
/** Forwards a title that a user gave to the agent server, so that both have the same. */
export declare class TitleForwarding {
    private readonly conversations;
    private readonly sandboxes;
    private readonly agentServers;
    private readonly jobs;
    constructor(conversations: ConversationRepository, sandboxes: SandboxReader, agentServers: AgentServerClient, jobs: JobQueue, handlers: JobHandlers);
    /** Forwards it once the transaction commits; nothing happens while the sandbox does not run. */
    later(transaction: EntityManager, conversationId: string): Promise<void>;
    private forward;
}
