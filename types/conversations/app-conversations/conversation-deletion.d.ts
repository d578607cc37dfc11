import { DataSource } from 'typeorm';
import { SandboxLifecycle } from '../../sandboxes';
import { ConversationQueue } from '../queue/conversation-queue';
import { ConversationRepository } from '../record/conversation.repository';
import { StartTaskRepository } from '../start-tasks/start-task.repository';
import { ConversationRemovals } from '../removal/conversation-removals';
/** Deletes conversations: at once for everyone who asks, at the agent server by a job. */
export declare class ConversationDeletion {
    private readonly database;
    private readonly conversations;
    private readonly startTasks;
    private readonly queue;
    private readonly lifecycle;
    private readonly removals;
    constructor(database: DataSource, conversations: ConversationRepository, startTasks: StartTaskRepository, queue: ConversationQueue, lifecycle: SandboxLifecycle, removals: ConversationRemovals);
    /** Deletes a conversation, those that belong to it, and sandboxes made for them that serve nothing else. */
    remove(id: string): Promise<void>;
    /** @returns false when a conversation was added before the family was locked: nothing is done then */
    private removeFamily;
    /** A sandbox created for conversations is deleted with the last of them; one the caller chose is kept. */
    private removeFromSandbox;
}
