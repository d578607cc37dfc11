import { type JsonResponse, LargeResponses } from '../../../http';
import { OrgListDatabase } from '../database/org-list-database';
import type { OrgConversationPage, OrgConversationsQuery } from './org-conversations.dto';
import { OrgListService } from './org-list.service';
/** Makes responses of the organization list; what is large of many records is read while they are sent. */
export declare class OrgListResponses {
    private readonly conversations;
    private readonly database;
    private readonly large;
    constructor(conversations: OrgListService, database: OrgListDatabase, large: LargeResponses);
    /** @throws ConversationsUnavailableError, TooManyLargeResponsesError */
    list(readerId: string, orgId: string, query: OrgConversationsQuery): Promise<OrgConversationPage | JsonResponse>;
    /** The JSON texts of records with their large columns. */
    private read;
}
