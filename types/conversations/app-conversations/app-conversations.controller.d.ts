import { type Caller, type OrgContext } from '../../auth';
import { type JsonResponse, Success } from '../../http';
import { AppConversation, AppConversationFilter, AppConversationSearch, AppConversationPath, IdsQuery } from './app-conversation.dto';
import { AppConversationUpdate } from './conversation-update.dto';
import { AppConversationsService } from './app-conversations.service';
export declare class AppConversationsController {
    private readonly conversations;
    constructor(conversations: AppConversationsService);
    searchAppConversations(caller: Caller, org: OrgContext, query: AppConversationSearch): Promise<JsonResponse>;
    countAppConversations(caller: Caller, org: OrgContext, query: AppConversationFilter): Promise<number>;
    batchGetAppConversations(caller: Caller, query: IdsQuery): Promise<JsonResponse>;
    getAppConversation(caller: Caller, path: AppConversationPath): Promise<AppConversation>;
    updateAppConversation(caller: Caller, path: AppConversationPath, body: AppConversationUpdate): Promise<AppConversation>;
    deleteAppConversation(caller: Caller, path: AppConversationPath): Promise<Success>;
}
