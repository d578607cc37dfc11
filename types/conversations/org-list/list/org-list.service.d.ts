import { Clock } from '../../../common';
import { SandboxReader } from '../../../sandboxes';
import type { OrgConversationPage, OrgConversationResponse, OrgConversationsQuery } from './org-conversations.dto';
import { OrgListDatabase } from '../database/org-list-database';
/** A page; tags and pull requests of some of its records may be left out. */
export interface ListedPage {
    readonly page: OrgConversationPage;
    /** The bytes of what was left out, by the ids of those records. */
    readonly unreadBytes: ReadonlyMap<string, number>;
}
/** Reads the conversations of an organization for its admins (docs/contract.md#organization-list). */
export declare class OrgListService {
    private readonly database;
    private readonly sandboxes;
    private readonly clock;
    constructor(database: OrgListDatabase, sandboxes: SandboxReader, clock: Clock);
    /** @throws ConversationsUnavailableError */
    list(orgId: string, query: OrgConversationsQuery): Promise<ListedPage>;
    /** @throws ConversationNotFoundError, ConversationsUnavailableError */
    get(orgId: string, conversationId: string): Promise<OrgConversationResponse>;
    private record;
    /** A page along an index; far from the beginning, from whichever end of the list is nearer. */
    private walked;
    /** A page of what has to be found first. */
    private found;
    private total;
}
