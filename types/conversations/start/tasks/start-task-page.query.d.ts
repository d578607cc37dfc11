import { Statement } from '../../../database';
import { StartTask } from '../../start-tasks/start-task.entity';
/** A task as it is listed; its request is read later where it is null. */
export type StartTaskRow = Omit<StartTask, 'request' | 'requestBytes' | 'sealedSecrets'> & {
    /** What the task takes in a response, about. */
    readonly bytes: number;
    readonly requestText: string | null;
};
/**
 * A user's ($1) tasks in an organization ($2), newest first, from one ($3) on, of one conversation ($5) if that is
 * wanted ($4), created then or later ($7) if that is wanted; at most $6.
 */
export declare const START_TASK_PAGE: Statement<StartTaskRow>;
/** Those of the tasks ($2) that a user ($1) has created. */
export declare const START_TASKS_BY_ID: Statement<StartTaskRow>;
/** The requests of tasks ($1), as JSON texts. */
export declare const START_REQUESTS: Statement<{
    readonly id: string;
    readonly request: string;
}>;
