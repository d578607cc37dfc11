import { Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access, type Caller, CurrentCaller, CurrentOrg, type OrgContext } from '../auth';
import { FailsWith } from '../http';
import {
  SandboxCreateQuery,
  SandboxGetQuery,
  SandboxInfo,
  SandboxPage,
  SandboxPath,
  SandboxSearchQuery,
  SandboxSpecPage,
  SandboxSpecSearchQuery,
  Success,
} from './sandboxes.dto';
import { SandboxesService } from './sandboxes.service';

const UNKNOWN = "There is no such sandbox, it is not the caller's, or it is gone.";
const AWAY = 'What runs the sandbox does not answer.';

@ApiTags('Sandboxes')
@Controller('api/v1')
export class SandboxesController {
  constructor(private readonly sandboxes: SandboxesService) {}

  @Post('sandboxes')
  @HttpCode(200)
  @Access({ org: 'effective' })
  @ApiOperation({ summary: 'Start a sandbox' })
  @ApiOkResponse({ type: SandboxInfo, description: 'The sandbox, STARTING.' })
  @FailsWith({
    404: 'There is no such sandbox spec.',
    429: 'As many sandboxes as allowed are not paused (`concurrency_limit_reached`).',
    503: AWAY,
  })
  create(
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Query() query: SandboxCreateQuery,
  ): Promise<SandboxInfo> {
    return this.sandboxes.create(caller, org, query.sandbox_spec_id);
  }

  @Get('sandboxes')
  @Access()
  @ApiOperation({ summary: 'Read sandboxes by their ids' })
  @ApiOkResponse({
    description: "One entry for each id, in order; null where it is unknown or not the caller's.",
    schema: {
      type: 'array',
      items: { anyOf: [{ $ref: '#/components/schemas/SandboxInfo' }, { type: 'null' }] },
    },
  })
  get(@CurrentCaller() caller: Caller, @Query() query: SandboxGetQuery): Promise<(SandboxInfo | null)[]> {
    return this.sandboxes.get(caller, query.id);
  }

  @Get('sandboxes/search')
  @Access({ org: 'effective' })
  @ApiOperation({ summary: "List the caller's sandboxes in the organization" })
  @ApiOkResponse({ type: SandboxPage, description: 'One page, newest first.' })
  search(
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Query() query: SandboxSearchQuery,
  ): Promise<SandboxPage> {
    return this.sandboxes.search(caller, org, query);
  }

  @Post('sandboxes/:sandbox_id/pause')
  @HttpCode(200)
  @Access()
  @ApiOperation({ summary: 'Pause a sandbox; its folder stays' })
  @ApiOkResponse({ type: Success, description: 'It is paused, or is about to be.' })
  @FailsWith({ 404: UNKNOWN, 409: 'It cannot be paused.', 503: AWAY })
  async pause(@CurrentCaller() caller: Caller, @Param() path: SandboxPath): Promise<Success> {
    await this.sandboxes.pause(caller, path.sandbox_id);
    return { success: true };
  }

  @Post('sandboxes/:sandbox_id/resume')
  @HttpCode(200)
  @Access()
  @ApiOperation({ summary: 'Start a paused or failed sandbox again' })
  @ApiOkResponse({ type: Success, description: 'It runs, or is STARTING until it answers.' })
  @FailsWith({
    404: UNKNOWN,
    409: 'It cannot be resumed.',
    429: 'As many sandboxes as allowed are not paused (`concurrency_limit_reached`).',
    503: AWAY,
  })
  async resume(@CurrentCaller() caller: Caller, @Param() path: SandboxPath): Promise<Success> {
    await this.sandboxes.resume(caller, path.sandbox_id);
    return { success: true };
  }

  @Delete('sandboxes/:sandbox_id')
  @Access()
  @ApiOperation({ summary: 'Delete a sandbox and all it holds' })
  @ApiOkResponse({
    type: Success,
    description: 'It is deleted, or is about to be; it stays known as MISSING.',
  })
  @FailsWith({ 404: UNKNOWN })
  async delete(@CurrentCaller() caller: Caller, @Param() path: SandboxPath): Promise<Success> {
    await this.sandboxes.delete(caller, path.sandbox_id);
    return { success: true };
  }

  @Get('sandbox-specs/search')
  @Access()
  @ApiOperation({ summary: 'List what kinds of sandboxes there are' })
  @ApiOkResponse({ type: SandboxSpecPage, description: 'All of them.' })
  specs(@Query() query: SandboxSpecSearchQuery): SandboxSpecPage {
    return this.sandboxes.specs(query.limit);
  }
}
