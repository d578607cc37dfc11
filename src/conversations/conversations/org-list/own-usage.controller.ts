import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access, type Caller, CurrentCaller, CurrentOrg, type OrgContext } from '../../../kernel/auth';
import { ApiErrors } from '../../../kernel/http';
import { ConversationsUnavailableError } from './database/org-list-database';
import { OrgUsage, OwnUsageQuery } from './usage/usage.dto';
import { UsagePeriodInvalidError } from './usage/usage.errors';
import { UsageService } from './usage/usage.service';

@ApiTags('Budgets')
@Controller('api/users/me/usage')
export class OwnUsageController {
  constructor(private readonly usages: UsageService) {}

  @Get()
  @Access({ org: 'effective', permission: 'use_conversations' })
  @ApiOperation({
    summary: 'What you used',
    description:
      'Conversations, cost and tokens of yours in the organization that the request acts in, in the shape of that of the organization.',
  })
  @ApiOkResponse({ type: OrgUsage, description: 'Your usage.' })
  @ApiErrors(
    {
      400: 'The period ends before it begins, or is too long.',
      500: 'It could not be read, or not in time (`conversations_unavailable`).',
    },
    new UsagePeriodInvalidError('it ends before it begins'),
    new ConversationsUnavailableError(null),
  )
  getOwnUsage(
    @CurrentCaller() { userId }: Caller,
    @CurrentOrg() { orgId }: OrgContext,
    @Query() query: OwnUsageQuery,
  ): Promise<OrgUsage> {
    return this.usages.ownUsage(orgId, userId, query);
  }
}
