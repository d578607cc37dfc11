import { Controller, Get, Header, Param, Query, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import { OrgPath } from '../../../accounts/orgs';
import { noteReadOfOthers } from '../../../kernel/audit';
import { Access, type Caller, CurrentCaller, CurrentOrg, type OrgContext } from '../../../kernel/auth';
import {
  ApiErrors,
  ApiLinks,
  ClientAbortSignal,
  type JsonResponse,
  TooManyLargeResponsesError,
} from '../../../kernel/http';
import {
  OrgConversationPage,
  OrgConversationPath,
  OrgConversationResponse,
  OrgConversationsExport,
  OrgConversationsQuery,
} from './list/org-conversations.dto';
import { OrgExportService } from './export/org-export.service';
import { ConversationNotFoundError } from '../record/conversations.errors';
import { ConversationsUnavailableError } from './database/org-list-database';
import { OrgListResponses } from './list/org-list-responses';
import { OrgListService } from './list/org-list.service';
import { OrgConversationStats } from './stats/org-stats.dto';
import { OrgStatsService } from './stats/org-stats.service';
import {
  UsageStats,
  UsageStatsQuery,
  UserUsagePage,
  UserUsageQuery,
} from './usage-reports/usage-reports.dto';
import { UsageReportsService } from './usage-reports/usage-reports.service';
import { UsagePeriodInvalidError } from './usage/usage.errors';

const UNAVAILABLE = {
  500: 'The conversations could not be read, or not in time (`conversations_unavailable`).',
};

@ApiTags('Organization conversations')
@Controller('api/organizations/:org_id/conversations')
export class OrgConversationsController {
  constructor(
    private readonly responses: OrgListResponses,
    private readonly conversations: OrgListService,
    private readonly statistics: OrgStatsService,
    private readonly exports: OrgExportService,
    private readonly reports: UsageReportsService,
  ) {}

  @Get()
  @Header('Content-Type', 'application/json; charset=utf-8')
  @Access({ org: 'path', permission: 'view_org_conversations' })
  @ApiOperation({
    summary: 'List the conversations of an organization',
    description: 'All of them, filtered, sorted and in pages; for admins and owners.',
  })
  @ApiOkResponse({ type: OrgConversationPage, description: 'One page.' })
  @ApiLinks({
    getOrgConversation: {
      org_id: '$request.path.org_id',
      conversation_id: '$response.body#/items/0/id',
    },
  })
  @ApiErrors(
    { ...UNAVAILABLE, 429: 'Too many large answers are being sent.' },
    new ConversationsUnavailableError(null),
    new TooManyLargeResponsesError(),
  )
  listOrgConversations(
    @CurrentCaller() caller: Caller,
    @Param() path: OrgPath,
    @Query() query: OrgConversationsQuery,
  ): Promise<JsonResponse> {
    return this.responses.list(caller.userId, path.org_id, query);
  }

  // Declared before the route of one conversation, which would take these words for an id.
  @Get('stats')
  @Access({ org: 'path', permission: 'view_org_conversations' })
  @ApiOperation({
    summary: 'Statistics of the conversations of an organization',
    description: 'Totals by status, time and model, cost and tokens; for admins and owners.',
  })
  @ApiOkResponse({ type: OrgConversationStats, description: 'The statistics.' })
  @ApiErrors(UNAVAILABLE, new ConversationsUnavailableError(null))
  getOrgConversationStats(@Param() path: OrgPath): Promise<OrgConversationStats> {
    return this.statistics.stats(path.org_id);
  }

  @Get('usage-stats')
  @Access({ org: 'path', permission: 'view_org_conversations' })
  @ApiOperation({
    summary: 'What an organization used lately, in all, by day, user and model',
    description: 'Deleted conversations and former members included; for admins and owners.',
  })
  @ApiOkResponse({ type: UsageStats, description: 'What was used.' })
  @ApiErrors(
    { ...UNAVAILABLE, 400: 'The period is too long.' },
    new UsagePeriodInvalidError('it has more than 366 days'),
    new ConversationsUnavailableError(null),
  )
  getUsageStats(@Param() path: OrgPath, @Query() query: UsageStatsQuery): Promise<UsageStats> {
    return this.reports.stats(path.org_id, query);
  }

  @Get('user-usage')
  @Access({ org: 'path', permission: 'view_org_conversations' })
  @ApiOperation({
    summary: 'What each member has used',
    description:
      'By id, with their conversations and spending; with their monthly limit for whoever has `view_budgets`, and their last sign-in for `manage_sessions`.',
  })
  @ApiOkResponse({ type: UserUsagePage, description: 'A part of them.' })
  @ApiErrors(UNAVAILABLE, new ConversationsUnavailableError(null))
  getUserUsage(
    @Param() _path: OrgPath,
    @CurrentOrg() org: OrgContext,
    @Query() query: UserUsageQuery,
  ): Promise<UserUsagePage> {
    return this.reports.users(org, query);
  }

  @Get('export')
  @Access({ org: 'path', permission: 'view_org_conversations' })
  @ApiOperation({
    summary: 'Export the conversations of an organization',
    description:
      'As CSV (RFC 4180), oldest first, written as it is read. Texts that a spreadsheet would compute get an apostrophe in front. For admins and owners.',
  })
  @ApiProduces('text/csv')
  @ApiOkResponse({
    schema: { type: 'string' },
    description: 'A line of field names, then one per conversation.',
  })
  @ApiErrors(UNAVAILABLE, new ConversationsUnavailableError(null))
  exportOrgConversations(
    @Param() path: OrgPath,
    @Query() query: OrgConversationsExport,
    @ClientAbortSignal() gone: AbortSignal,
  ): Promise<StreamableFile> {
    noteReadOfOthers({ type: 'organization', id: path.org_id, orgId: path.org_id });
    return this.exports.export(path.org_id, query, gone);
  }

  @Get(':conversation_id')
  @Access({ org: 'path', permission: 'view_org_conversations' })
  @ApiOperation({
    summary: 'Read one conversation of an organization',
    description:
      'With full details; `runtime_url` is the reference to its log and history. For admins and owners.',
  })
  @ApiOkResponse({ type: OrgConversationResponse, description: 'The conversation.' })
  @ApiErrors(
    { ...UNAVAILABLE, 404: 'The organization has no such conversation.' },
    new ConversationNotFoundError(),
    new ConversationsUnavailableError(null),
  )
  getOrgConversation(@Param() path: OrgConversationPath): Promise<OrgConversationResponse> {
    noteReadOfOthers({ type: 'conversation', id: path.conversation_id, orgId: path.org_id });
    return this.conversations.get(path.org_id, path.conversation_id);
  }
}
