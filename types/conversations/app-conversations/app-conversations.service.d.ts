import { DataSource } from 'typeorm';
import type { Caller } from '../../auth';
import { type JsonResponse } from '../../http';
import type { AppConversation, AppConversationFilter, AppConversationSearch } from './app-conversation.dto';
import type { AppConversationUpdate } from './conversation-update.dto';
import { RecordResponses } from './record-responses';
import { ConversationAccess } from '../access/conversation-access';
import { ConversationDeletion } from './conversation-deletion';
import { ConversationRepository } from '../record/conversation.repository';
import { TitleForwarding } from './title-forwarding';
/** Reads and changes conversation records (docs/contract.md#conversation-record). */
export declare class AppConversationsService {
    private readonly database;
    private readonly conversations;
    private readonly access;
    private readonly responses;
    private readonly deletion;
    private readonly titles;
    constructor(database: DataSource, conversations: ConversationRepository, access: ConversationAccess, responses: RecordResponses, deletion: ConversationDeletion, titles: TitleForwarding);
    /** @throws ConversationNotFoundError */
    get(caller: Caller, id: string): Promise<AppConversation>;
    /**
     * The conversations of the ids, in their order, as a JSON array; null for what the caller may not read.
     * @throws ResponseTooLargeError, TooManyLargeResponsesError
     */
    getMany(caller: Caller, ids: readonly string[]): Promise<JsonResponse>;
    /** One page of the caller's own conversations in an organization. @throws TooManyLargeResponsesError */
    search(caller: Caller, orgId: string, search: AppConversationSearch): Promise<JsonResponse>;
    /** How many of the caller's own conversations in an organization a filter finds. */
    count(caller: Caller, orgId: string, filter: AppConversationFilter): Promise<number>;
    /** Writes what is present. @throws ConversationNotFoundError, SharingNotSupportedError, OnlyAtStartError */
    update(caller: Caller, id: string, update: AppConversationUpdate): Promise<AppConversation>;
    /** Deletes a conversation with those that belong to it. @throws ConversationNotFoundError */
    delete(caller: Caller, id: string): Promise<void>;
}
