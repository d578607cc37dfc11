import { type StreamableFile } from '@nestjs/common';
import { type Caller } from '../../auth';
import { type JsonResponse } from '../../http';
import { OrgConversationPage, OrgConversationPath, OrgConversationResponse, OrgConversationsExport, OrgConversationsPath, OrgConversationsQuery } from './list/org-conversations.dto';
import { OrgExportService } from './export/org-export.service';
import { OrgListResponses } from './list/org-list-responses';
import { OrgListService } from './list/org-list.service';
import { OrgConversationStats } from './stats/org-stats.dto';
import { OrgStatsService } from './stats/org-stats.service';
export declare class OrgConversationsController {
    private readonly responses;
    private readonly conversations;
    private readonly statistics;
    private readonly exports;
    constructor(responses: OrgListResponses, conversations: OrgListService, statistics: OrgStatsService, exports: OrgExportService);
    listOrgConversations(caller: Caller, path: OrgConversationsPath, query: OrgConversationsQuery): Promise<OrgConversationPage | JsonResponse>;
    getOrgConversationStats(path: OrgConversationsPath): Promise<OrgConversationStats>;
    exportOrgConversations(path: OrgConversationsPath, query: OrgConversationsExport, gone: AbortSignal): Promise<StreamableFile>;
    getOrgConversation(path: OrgConversationPath): Promise<OrgConversationResponse>;
}
