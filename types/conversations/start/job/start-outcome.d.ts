import { DataSource } from 'typeorm';
import { TitleForwarding } from '../../app-conversations/title-forwarding';
import { ConversationQueue } from '../../queue/conversation-queue';
import { ConversationRepository, type LaunchedWith } from '../../record/conversation.repository';
import { StartTaskRepository } from '../../start-tasks/start-task.repository';
import { ConversationRemovals } from '../../removal/conversation-removals';
import { type StartRun } from './start-run';
/** Ends starts: with a conversation that is ready, with one that failed, or with none because it was deleted. */
export declare class StartOutcome {
    private readonly database;
    private readonly conversations;
    private readonly tasks;
    private readonly queue;
    private readonly titles;
    private readonly removals;
    constructor(database: DataSource, conversations: ConversationRepository, tasks: StartTaskRepository, queue: ConversationQueue, titles: TitleForwarding, removals: ConversationRemovals);
    /** The agent server has the conversation. @throws StartTaskLostError */
    succeed(run: StartRun, launchedWith: LaunchedWith): Promise<void>;
    /** @param reason for the task and for the messages that were queued. @throws StartTaskLostError */
    fail(run: Pick<StartRun, 'task' | 'job'>, reason: string): Promise<void>;
    /**
     * A run, this one or one that died, may have made the conversation at the agent server after it was deleted
     * here, which then found nothing to delete there.
     */
    removeIfDeleted(taskId: string): Promise<void>;
}
