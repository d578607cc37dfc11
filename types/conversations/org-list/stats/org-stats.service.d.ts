import { Clock } from '../../../common';
import { OrgListDatabase } from '../database/org-list-database';
import type { OrgConversationStats } from './org-stats.dto';
/** The statistics of an organization's conversations, from the counters that the database keeps, by one query. */
export declare class OrgStatsService {
    private readonly database;
    private readonly clock;
    constructor(database: OrgListDatabase, clock: Clock);
    /** @throws ConversationsUnavailableError */
    stats(orgId: string): Promise<OrgConversationStats>;
}
