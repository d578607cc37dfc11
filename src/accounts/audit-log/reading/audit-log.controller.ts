import { Controller, Get, Param, Query, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import { Access, type Caller, CurrentCaller, CurrentOrg, type OrgContext } from '../../../kernel/auth';
import { noteReadOfOthers } from '../../../kernel/audit';
import { PageIdInvalidError } from '../../../kernel/common';
import { ApiErrors, ClientAbortSignal, TooManyDownloadsError } from '../../../kernel/http';
import { OrgPath } from '../../orgs';
import { AuditLogPage } from './audit-log.dto';
import { AuditLogExport, AuditLogQuery } from './audit-log-queries.dto';
import { AuditLogExports } from './export/audit-log-exports';
import { AuditLogList } from './list/audit-log-list';
import { AuditLogUnavailableError } from './rows/audit-log-database';

const UNAVAILABLE = { 503: 'The log could not be read, or not in time (`audit_log_unavailable`).' };

@ApiTags('Audit log')
@Access({ org: 'path', permission: 'view_audit_log' })
@Controller('api/organizations/:org_id/audit-log')
export class AuditLogController {
  constructor(
    private readonly lists: AuditLogList,
    private readonly exports: AuditLogExports,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'Read the audit log of an organization',
    description:
      'Who did what, the newest first; with `after` in the order in which it was written, for programs that keep a copy. For admins and owners.',
  })
  @ApiOkResponse({ type: AuditLogPage, description: 'One page of it.' })
  @ApiErrors(
    { ...UNAVAILABLE, 400: 'The page is none of this list with these filters.' },
    new PageIdInvalidError(),
    new AuditLogUnavailableError(),
  )
  listAuditLog(
    @Param() _path: OrgPath,
    @CurrentOrg() org: OrgContext,
    @Query() query: AuditLogQuery,
    @ClientAbortSignal() gone: AbortSignal,
  ): Promise<AuditLogPage> {
    return this.lists.page(org.orgId, query, gone);
  }

  @Get('export')
  @ApiOperation({
    summary: 'Export the audit log of an organization',
    description:
      'All that passes the filters, the oldest first, written as it is read. In CSV, texts that a spreadsheet would compute get an apostrophe in front. For admins and owners.',
  })
  @ApiProduces('text/csv', 'application/jsonl')
  @ApiOkResponse({
    schema: { type: 'string' },
    description: 'A line for each row; in CSV one with the names of the fields before them.',
  })
  @ApiErrors(
    { ...UNAVAILABLE, 429: 'As many exports are written as may be at once (`too_many_downloads`).' },
    new TooManyDownloadsError(10),
    new AuditLogUnavailableError(),
  )
  exportAuditLog(
    @Param() _path: OrgPath,
    @CurrentCaller() { userId }: Caller,
    @CurrentOrg() org: OrgContext,
    @Query() query: AuditLogExport,
    @ClientAbortSignal() gone: AbortSignal,
  ): Promise<StreamableFile> {
    noteReadOfOthers({ type: 'organization', id: org.orgId, orgId: org.orgId });
    return this.exports.export({ userId, orgId: org.orgId }, query, gone);
  }
}
