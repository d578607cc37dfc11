import { StreamableFile } from '@nestjs/common';
import { Clock } from '../../../common';
import { SandboxReader } from '../../../sandboxes';
import type { OrgConversationsExport } from '../list/org-conversations.dto';
import { OrgListDatabase } from '../database/org-list-database';
/** All conversations of an organization as CSV (RFC 4180), oldest first. */
export declare class OrgExportService {
    private readonly database;
    private readonly sandboxes;
    private readonly clock;
    constructor(database: OrgListDatabase, sandboxes: SandboxReader, clock: Clock);
    /**
     * Reads batch after batch as fast as the caller takes them; no connection is held in between.
     * @param gone ends it, and the query that runs
     * @throws ConversationsUnavailableError when the first batch cannot be read; a later one breaks the response off
     */
    export(orgId: string, query: OrgConversationsExport, gone: AbortSignal): Promise<StreamableFile>;
    private text;
    private batch;
}
