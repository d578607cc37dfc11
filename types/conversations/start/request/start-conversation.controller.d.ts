import type { Response } from 'express';
import { type Caller, type OrgContext } from '../../../auth';
import { type JsonResponse } from '../../../http';
import { AppConversationStartRequest } from '../tasks/start-conversation.dto';
import { AppConversationStartTask, StartTaskFilter, StartTaskIdsQuery, StartTaskSearch } from '../tasks/start-task.dto';
import { StartConversationService } from './start-conversation.service';
import { StartTaskStream } from '../tasks/start-task-stream';
import { StartTasksService } from '../tasks/start-tasks.service';
export declare class StartConversationController {
    private readonly starts;
    private readonly tasks;
    private readonly stream;
    constructor(starts: StartConversationService, tasks: StartTasksService, stream: StartTaskStream);
    startAppConversation(caller: Caller, org: OrgContext, body: AppConversationStartRequest, text: string): Promise<AppConversationStartTask>;
    streamAppConversationStart(caller: Caller, org: OrgContext, body: AppConversationStartRequest, text: string, response: Response): Promise<void>;
    countStartTasks(caller: Caller, org: OrgContext, query: StartTaskFilter): Promise<number>;
    batchGetStartTasks(caller: Caller, query: StartTaskIdsQuery): Promise<JsonResponse>;
    searchStartTasks(caller: Caller, org: OrgContext, query: StartTaskSearch): Promise<JsonResponse>;
}
