import { Controller, Get, Param, Query, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import { OrgPath } from '../../../accounts/orgs';
import { Access } from '../../../kernel/auth';
import { ApiErrors } from '../../../kernel/http';
import { ConversationsUnavailableError } from './database/org-list-database';
import { OrgOverview } from './overview/overview.dto';
import { OverviewService } from './overview/overview.service';
import { OrgUsage, UsageExport, UsageQuery } from './usage/usage.dto';
import { UsagePeriodInvalidError } from './usage/usage.errors';
import { UsageService } from './usage/usage.service';

const UNAVAILABLE = { 500: 'It could not be read, or not in time (`conversations_unavailable`).' };

@ApiTags('Organization conversations')
@Controller('api/organizations/:org_id')
export class OrgUsageController {
  constructor(
    private readonly usages: UsageService,
    private readonly overviews: OverviewService,
  ) {}

  @Get('usage')
  @Access({ org: 'path', permission: 'view_org_conversations' })
  @ApiOperation({
    summary: 'What an organization used',
    description:
      'Conversations, cost and tokens of a period, by day, user, model, repository or tag, deleted conversations included; for admins and owners.',
  })
  @ApiOkResponse({ type: OrgUsage, description: 'The usage.' })
  @ApiErrors(
    { ...UNAVAILABLE, 400: 'The period ends before it begins, or is too long.' },
    new UsagePeriodInvalidError('it ends before it begins'),
    new ConversationsUnavailableError(null),
  )
  getOrgUsage(@Param() path: OrgPath, @Query() query: UsageQuery): Promise<OrgUsage> {
    return this.usages.usage(path.org_id, query);
  }

  @Get('usage/export')
  @Access({ org: 'path', permission: 'view_org_conversations' })
  @ApiOperation({
    summary: 'Export what an organization used',
    description:
      'As CSV (RFC 4180): a line for each day, or for each user, model, repository or tag, those of the highest cost first, and one for what is beyond 10,000 of them. Texts that a spreadsheet would compute get an apostrophe in front. For admins and owners.',
  })
  @ApiProduces('text/csv')
  @ApiOkResponse({
    schema: { type: 'string' },
    description: 'A line of field names, then one per day or value.',
  })
  @ApiErrors(
    { ...UNAVAILABLE, 400: 'The period ends before it begins, or is too long.' },
    new UsagePeriodInvalidError('it ends before it begins'),
    new ConversationsUnavailableError(null),
  )
  exportOrgUsage(@Param() path: OrgPath, @Query() query: UsageExport): Promise<StreamableFile> {
    return this.usages.export(path.org_id, query);
  }

  @Get('overview')
  @Access({ org: 'path', permission: 'view_org_conversations' })
  @ApiOperation({
    summary: 'How an organization stands',
    description:
      'Its sandboxes by status, what waits in queues and for webhooks, and what failed in the last 24 hours; for admins and owners.',
  })
  @ApiOkResponse({ type: OrgOverview, description: 'How it stands now.' })
  @ApiErrors(UNAVAILABLE, new ConversationsUnavailableError(null))
  getOrgOverview(@Param() path: OrgPath): Promise<OrgOverview> {
    return this.overviews.overview(path.org_id);
  }
}
