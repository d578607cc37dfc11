import { DataSource, type EntityManager } from 'typeorm';
import { AgentServerClient } from '../../agent-server';
import { ConversationReports } from '../../conversations';
import { JobHandlers, JobQueue } from '../../jobs';
import { SandboxReader } from '../../sandboxes';
/** Asks the agent server for what it never reports by itself: the title it generated, and the final totals. */
export declare class ConversationRefresh {
    private readonly database;
    private readonly sandboxes;
    private readonly agentServers;
    private readonly conversations;
    private readonly jobs;
    constructor(database: DataSource, sandboxes: SandboxReader, agentServers: AgentServerClient, conversations: ConversationReports, jobs: JobQueue, handlers: JobHandlers);
    /** Asks shortly after the transaction commits. */
    later(transaction: EntityManager, conversationId: string): Promise<void>;
    private refresh;
}
