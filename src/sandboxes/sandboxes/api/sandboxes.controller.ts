import { Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { LegalHoldError } from '../../../accounts/legal-holds';
import { Access, type Caller, CurrentCaller, CurrentOrg, type OrgContext } from '../../../kernel/auth';
import { ApiErrors, ApiLinks, Success } from '../../../kernel/http';
import {
  SandboxCreateQuery,
  SandboxGetQuery,
  SandboxInfo,
  SandboxLogLines,
  SandboxLogsQuery,
  SandboxPage,
  SandboxPath,
  SandboxSearchQuery,
  SandboxSpecGetQuery,
  SandboxSpecInfo,
  SandboxSpecPage,
  SandboxSpecSearchQuery,
} from './sandboxes.dto';
import {
  ConcurrencyLimitReachedError,
  DriverNotAvailableError,
  SandboxDriverUnavailableError,
  SandboxLogsElsewhereError,
  SandboxLogsUnavailableError,
  SandboxNotFoundError,
  SandboxNotPausableError,
  SandboxNotResumableError,
  SandboxSpecNotFoundError,
} from '../record/sandboxes.errors';
import { SandboxesService } from './sandboxes.service';
import { SandboxLogs } from './sandbox-logs';

const UNKNOWN = "There is no such sandbox, it is not the caller's, or it is gone.";
const AWAY = 'What runs the sandbox does not answer.';
const FULL = new ConcurrencyLimitReachedError(20, 'organization', 840);

@ApiTags('Sandboxes')
@Controller('api/v1')
export class SandboxesController {
  constructor(
    private readonly sandboxes: SandboxesService,
    private readonly logs: SandboxLogs,
  ) {}

  @Post('sandboxes')
  @HttpCode(200)
  @Access({ org: 'effective', scope: 'use_conversations' })
  @ApiOperation({
    summary: 'Start a sandbox',
    description: 'Answers at once, with the sandbox STARTING; read it until it is RUNNING or ERROR.',
  })
  @ApiOkResponse({ type: SandboxInfo, description: 'The sandbox, STARTING.' })
  @ApiLinks({
    batchGetSandboxes: { id: '$response.body#/id' },
  })
  @ApiErrors(
    {
      403: 'There are no sandboxes for the organization.',
      404: 'There is no such sandbox spec.',
      429: 'As many sandboxes as allowed are not paused (`concurrency_limit_reached`).',
      503: AWAY,
    },
    new DriverNotAvailableError(),
    new SandboxSpecNotFoundError(),
    FULL,
    new SandboxDriverUnavailableError(),
  )
  startSandbox(
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Query() query: SandboxCreateQuery,
  ): Promise<SandboxInfo> {
    return this.sandboxes.create(caller, org, query.sandbox_spec_id);
  }

  @Get('sandboxes')
  @Access({ scope: 'use_conversations' })
  @ApiOperation({
    summary: 'Read several sandboxes',
    description: 'One entry per id, in the order asked for; null for what is not there.',
  })
  @ApiOkResponse({
    description: "One entry for each id, in order; null where it is unknown or not the caller's.",
    schema: {
      type: 'array',
      items: { anyOf: [{ $ref: '#/components/schemas/SandboxInfo' }, { type: 'null' }] },
    },
  })
  @ApiLinks({
    pauseSandbox: { sandbox_id: '$response.body#/0/id' },
    resumeSandbox: { sandbox_id: '$response.body#/0/id' },
    getSandboxLogs: { sandbox_id: '$response.body#/0/id' },
    getFromAgentServer: { sandbox_id: '$response.body#/0/id', path: 'server_info' },
  })
  batchGetSandboxes(
    @CurrentCaller() caller: Caller,
    @Query() query: SandboxGetQuery,
  ): Promise<(SandboxInfo | null)[]> {
    return this.sandboxes.get(caller, query.id);
  }

  @Get('sandboxes/search')
  @Access({ org: 'effective', scope: 'use_conversations' })
  @ApiOperation({
    summary: 'List your sandboxes',
    description: 'Those in the organization, newest first; deleted ones are not among them.',
  })
  @ApiOkResponse({ type: SandboxPage, description: 'One page, newest first.' })
  @ApiLinks({
    batchGetSandboxes: { id: '$response.body#/items/0/id' },
    searchSandboxes: { page_id: '$response.body#/next_page_id' },
  })
  searchSandboxes(
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Query() query: SandboxSearchQuery,
  ): Promise<SandboxPage> {
    return this.sandboxes.search(caller, org, query);
  }

  @Post('sandboxes/:sandbox_id/pause')
  @HttpCode(200)
  @Access({ scope: 'use_conversations' })
  @ApiOperation({
    summary: 'Pause a sandbox',
    description: 'Ends its agent server; its folder and its conversations stay, and it can be resumed.',
  })
  @ApiOkResponse({ type: Success, description: 'It is paused, or is about to be.' })
  @ApiErrors(
    { 404: UNKNOWN, 409: 'It cannot be paused.', 503: AWAY },
    new SandboxNotFoundError(),
    new SandboxNotPausableError(),
    new SandboxDriverUnavailableError(),
  )
  async pauseSandbox(@CurrentCaller() caller: Caller, @Param() path: SandboxPath): Promise<Success> {
    await this.sandboxes.pause(caller, path.sandbox_id);
    return { success: true };
  }

  @Post('sandboxes/:sandbox_id/resume')
  @HttpCode(200)
  @Access({ scope: 'use_conversations' })
  @ApiOperation({
    summary: 'Resume a sandbox',
    description: 'Starts a paused or failed one again, on what it left.',
  })
  @ApiOkResponse({ type: Success, description: 'It runs, or is STARTING until it answers.' })
  @ApiErrors(
    {
      403: 'There are no sandboxes for its organization.',
      404: UNKNOWN,
      409: 'It cannot be resumed.',
      429: 'As many sandboxes as allowed are not paused (`concurrency_limit_reached`).',
      503: AWAY,
    },
    new DriverNotAvailableError(),
    new SandboxNotFoundError(),
    new SandboxNotResumableError(),
    FULL,
    new SandboxDriverUnavailableError(),
  )
  async resumeSandbox(@CurrentCaller() caller: Caller, @Param() path: SandboxPath): Promise<Success> {
    await this.sandboxes.resume(caller, path.sandbox_id);
    return { success: true };
  }

  @Delete('sandboxes/:sandbox_id')
  @Access({ scope: 'use_conversations' })
  @ApiOperation({
    summary: 'Delete a sandbox',
    description: 'With all that its folder holds. Its conversations are archived.',
  })
  @ApiOkResponse({
    type: Success,
    description: 'It is deleted, or is about to be; it stays known as MISSING.',
  })
  @ApiErrors(
    { 404: UNKNOWN, 409: 'It, or a conversation in it, is under a legal hold.' },
    new SandboxNotFoundError(),
    new LegalHoldError(),
  )
  async deleteSandbox(@CurrentCaller() caller: Caller, @Param() path: SandboxPath): Promise<Success> {
    await this.sandboxes.delete(caller, path.sandbox_id);
    return { success: true };
  }

  @Get('sandboxes/:sandbox_id/logs')
  @Access({ scope: 'use_conversations' })
  @ApiOperation({
    summary: "Read a sandbox's log",
    description:
      'The end of what its agent server wrote to its output in its last run, also after that ended.',
  })
  @ApiOkResponse({ type: SandboxLogLines, description: 'The last lines.' })
  @ApiErrors(
    {
      404: UNKNOWN,
      409: 'The service did not start its agent server.',
      503: 'They are on a host that this replica does not reach (`sandbox_logs_elsewhere`), or what runs it does not answer.',
    },
    new SandboxNotFoundError(),
    new SandboxLogsUnavailableError(),
    new SandboxLogsElsewhereError(),
    new SandboxDriverUnavailableError(),
  )
  getSandboxLogs(
    @CurrentCaller() caller: Caller,
    @Param() path: SandboxPath,
    @Query() query: SandboxLogsQuery,
  ): Promise<SandboxLogLines> {
    return this.logs.last(caller, path.sandbox_id, query.limit);
  }

  @Get('sandbox-specs')
  @Access({ scope: 'use_conversations' })
  @ApiOperation({
    summary: 'Read several kinds of sandboxes',
    description: 'One entry per id, in the order asked for; null for what there is not.',
  })
  @ApiOkResponse({
    description: 'One entry for each id, in order; null where there is no such kind.',
    schema: {
      type: 'array',
      items: { anyOf: [{ $ref: '#/components/schemas/SandboxSpecInfo' }, { type: 'null' }] },
    },
  })
  batchGetSandboxSpecs(@Query() query: SandboxSpecGetQuery): (SandboxSpecInfo | null)[] {
    return this.sandboxes.specsOf(query.id);
  }

  @Get('sandbox-specs/search')
  @Access({ scope: 'use_conversations' })
  @ApiOperation({
    summary: 'List the kinds of sandboxes',
    description: 'There is one: what this installation runs new sandboxes with.',
  })
  @ApiOkResponse({ type: SandboxSpecPage, description: 'All of them.' })
  @ApiLinks({
    batchGetSandboxSpecs: { id: '$response.body#/items/0/id' },
    startSandbox: { sandbox_spec_id: '$response.body#/items/0/id' },
  })
  searchSandboxSpecs(@Query() query: SandboxSpecSearchQuery): SandboxSpecPage {
    return this.sandboxes.specs(query.limit);
  }
}
