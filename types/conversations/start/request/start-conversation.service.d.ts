import { DataSource } from 'typeorm';
import { ConversationAgents } from '../../../agent-settings';
import type { Caller, OrgContext } from '../../../auth';
import { JobQueue } from '../../../jobs';
import { SandboxLifecycle } from '../../../sandboxes';
import { ConversationQueue } from '../../queue/conversation-queue';
import type { AppConversationStartRequest } from '../tasks/start-conversation.dto';
import type { AppConversationStartTask } from '../tasks/start-task.dto';
import { StartPreconditions } from './start-preconditions';
import { StartRecords } from './start-records';
/**
 * Takes a request to start a conversation; the work itself is a durable job (docs/contract.md#start-request).
 */
export declare class StartConversationService {
    private readonly database;
    private readonly preconditions;
    private readonly agents;
    private readonly records;
    private readonly lifecycle;
    private readonly queue;
    private readonly jobs;
    constructor(database: DataSource, preconditions: StartPreconditions, agents: ConversationAgents, records: StartRecords, lifecycle: SandboxLifecycle, queue: ConversationQueue, jobs: JobQueue);
    /**
     * @param initialContent the JSON text of the initial message's content, as it came; null without one
     * @throws SuggestedTaskWithMessageError, what {@link StartPreconditions.check} throws, and the sandboxes'
     *   ConcurrencyLimitReachedError
     */
    start(caller: Caller, org: OrgContext, given: AppConversationStartRequest, initialContent: string | null): Promise<AppConversationStartTask>;
    private open;
}
