import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { OrgPath } from '../../../accounts/orgs';
import { Access } from '../../../kernel/auth';
import { clampLimit, PageIds, pageOf, storableOrNull } from '../../../kernel/common';
import { CALLS_OF_ORG, type ModelCallRow } from './model-calls-page.read-model';
import { ModelCallPage, type ModelCallResponse, ModelCallsQuery } from './model-calls.dto';

const PAGES = PageIds.byTime('model-calls');

@ApiTags('Budgets')
@Controller('api/organizations/:org_id/model-calls')
export class ModelCallsController {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  @Get()
  @Access({ org: 'path', permission: 'view_budgets' })
  @ApiOperation({
    summary: 'List the calls of models',
    description:
      'The ledger: each call through the gateway, the newest first, with what it cost. Rows stay when conversations are deleted, and go with the organization.',
  })
  @ApiOkResponse({ type: ModelCallPage, description: 'One page.' })
  async listModelCalls(@Param() path: OrgPath, @Query() query: ModelCallsQuery): Promise<ModelCallPage> {
    const limit = clampLimit(query.limit);
    const from = PAGES.read(query.page_id);
    const rows = await CALLS_OF_ORG.rows(this.database, [
      path.org_id,
      from?.at ?? null,
      from?.id ?? null,
      limit + 1,
      query.user_id,
      storableOrNull(query.model),
      query.conversation_id,
      query.status,
    ]);
    return pageOf(rows, limit, toResponse, ({ at, id }) => PAGES.write({ at, id }));
  }
}

function toResponse(row: ModelCallRow): ModelCallResponse {
  return { ...row, at: row.at.toISOString(), settled_at: row.settled_at?.toISOString() ?? null };
}
