import type { EntityManager } from 'typeorm';
import { Clock } from '../../../common';
import { type Settings } from '../../../config';
import { ConversationRepository } from '../../record/conversation.repository';
import type { StartTask } from '../../start-tasks/start-task.entity';
import { StartTaskRepository } from '../../start-tasks/start-task.repository';
import type { AppConversationStartRequest } from '../tasks/start-conversation.dto';
import { StartSecrets } from '../tasks/start-secrets';
import type { StartOwner } from './start-preconditions';
/** The sandbox that a new conversation runs in. */
export interface ChosenSandbox {
    readonly id: string;
    /** Whether it is made for this conversation. */
    readonly isOwn: boolean;
}
/** What was decided about a start besides what it asks for. */
export interface DecidedStart {
    readonly sandbox: ChosenSandbox;
    readonly model: string | null;
}
/** Stores what a start request makes: the record of the conversation, and the task of its start. */
export declare class StartRecords {
    private readonly settings;
    private readonly conversations;
    private readonly tasks;
    private readonly secrets;
    private readonly clock;
    constructor(settings: Settings, conversations: ConversationRepository, tasks: StartTaskRepository, secrets: StartSecrets, clock: Clock);
    /** @throws a unique violation of `conversations_pkey` when the id is taken */
    store(transaction: EntityManager, owner: StartOwner, request: AppConversationStartRequest, { sandbox, model }: DecidedStart): Promise<StartTask>;
}
