import { DataSource } from 'typeorm';
import { type Caller, OrgResolution } from '../../../auth';
import { type JsonResponse, LargeResponses } from '../../../http';
import type { AppConversationStartTask, StartTaskFilter, StartTaskSearch } from './start-task.dto';
import { StartTaskRepository } from '../../start-tasks/start-task.repository';
/** Reads the caller's start tasks; responses are JSON texts, because their requests may be large. */
export declare class StartTasksService {
    private readonly database;
    private readonly tasks;
    private readonly organizations;
    private readonly large;
    constructor(database: DataSource, tasks: StartTaskRepository, organizations: OrgResolution, large: LargeResponses);
    /**
     * The tasks of the ids, in their order, as a JSON array; null for what is not the caller's.
     * @param ids UUIDs in any spelling, also as `task-<32 hex>`
     * @throws ResponseTooLargeError, TooManyLargeResponsesError
     */
    getMany(caller: Caller, ids: readonly string[]): Promise<JsonResponse>;
    /** One page of the caller's tasks in an organization, newest first. @throws TooManyLargeResponsesError */
    search(caller: Caller, orgId: string, search: StartTaskSearch): Promise<JsonResponse>;
    /** How many of the caller's tasks in an organization a filter finds. */
    count({ userId }: Caller, orgId: string, filter: StartTaskFilter): Promise<number>;
    /**
     * Follows a task to its end.
     * @returns every state it is seen in, the first one at once
     */
    follow(taskId: string, signal: AbortSignal): AsyncGenerator<AppConversationStartTask>;
    /** The JSON texts of tasks whose requests were not read with them; one that is gone meanwhile is null. */
    private read;
}
