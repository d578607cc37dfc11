import type { Response } from 'express';
import { StartTasksService } from './start-tasks.service';
/**
 * Answers the states of a start task as one JSON array, written as it happens (docs/contract.md#start-tasks).
 */
export declare class StartTaskStream {
    private readonly tasks;
    constructor(tasks: StartTasksService);
    /** Ends when the task does or the client disconnects; the start itself goes on either way. */
    write(taskId: string, response: Response): Promise<void>;
}
