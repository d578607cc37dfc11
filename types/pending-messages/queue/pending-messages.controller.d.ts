import { type Caller } from '../../auth';
import { type JsonResponse } from '../../http';
import { PendingMessageOrder, PendingMessageRequest, PendingMessageResponse, PendingMessageUpdate, QueuedMessagePath, QueuePath, QueueQuery } from './pending-messages.dto';
import { PendingMessagesService } from './pending-messages.service';
export declare class PendingMessagesController {
    private readonly messages;
    constructor(messages: PendingMessagesService);
    queuePendingMessage(caller: Caller, path: QueuePath, body: PendingMessageRequest, text: string): Promise<PendingMessageResponse>;
    listPendingMessages(caller: Caller, path: QueuePath, query: QueueQuery): Promise<JsonResponse>;
    reorderPendingMessages(caller: Caller, path: QueuePath, body: PendingMessageOrder): Promise<JsonResponse>;
    editPendingMessage(caller: Caller, path: QueuedMessagePath, body: PendingMessageUpdate, text: string): Promise<JsonResponse>;
    cancelPendingMessage(caller: Caller, path: QueuedMessagePath): Promise<void>;
}
