import { Body, Controller, Get, Param, Put, Query } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { OrgPath } from '../../../accounts/orgs';
import { Access, CurrentOrg, type OrgContext, RecentSignIn } from '../../../kernel/auth';
import { RetentionResponse, RetentionUpdate, RetentionUpdateQuery } from './retention.dto';
import { RetentionService } from './retention.service';

@ApiTags('Organizations')
@Controller('api/organizations/:org_id/retention')
export class RetentionController {
  constructor(private readonly retention: RetentionService) {}

  @Get()
  @Access({ org: 'path', permission: 'view_retention' })
  @ApiOperation({
    summary: 'Read how long what is kept',
    description:
      'What goes after how many days without activity, in this organization and in others by default.',
  })
  @ApiOkResponse({ type: RetentionResponse, description: 'The periods.' })
  getOrgRetention(@Param() _path: OrgPath, @CurrentOrg() org: OrgContext): Promise<RetentionResponse> {
    return this.retention.get(org.orgId);
  }

  @Put()
  @Access({ org: 'path', permission: 'manage_retention' })
  @RecentSignIn()
  @ApiOperation({
    summary: 'Set how long what is kept',
    description:
      'Replaces all of it: what is null or left out is as the installation has it. Owners are told a week before anything goes but messages and deliveries (`retention.due`). With `dry_run` nothing is set, and the response says what would go.',
  })
  @ApiOkResponse({ type: RetentionResponse, description: 'The periods as they are now.' })
  @ApiBody({
    type: RetentionUpdate,
    examples: {
      'A year, and half of it for events': {
        value: { events_days: 180, conversations_days: 365, archives_days: 90 },
      },
      'As the installation has it': { value: {} },
    },
  })
  setOrgRetention(
    @Param() _path: OrgPath,
    @CurrentOrg() org: OrgContext,
    @Query() query: RetentionUpdateQuery,
    @Body() body: RetentionUpdate,
  ): Promise<RetentionResponse> {
    return query.dry_run ? this.retention.tryOut(org.orgId, body) : this.retention.set(org.orgId, body);
  }
}
