import { Controller, Get, Query } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  Access,
  type Caller,
  CurrentCaller,
  CurrentOrg,
  type OrgContext,
  PresentedSessionKey,
} from '../../../kernel/auth';
import { ApiErrors, ApiLinks } from '../../../kernel/http';
import { CurrentUser, CurrentUserQuery } from './current-user.dto';
import { CurrentUserService, SandboxKeyRequiredError } from './current-user.service';

@ApiTags('Organizations')
@Controller('api/v1/users/me')
export class CurrentUserController {
  constructor(private readonly users: CurrentUserService) {}

  @Get()
  @Access({ org: 'effective', permission: 'view_org_settings' })
  @ApiOperation({
    summary: 'Who you are',
    description:
      'The user of the key, the organization the request acts in, what they may do there, and what conversations run on. With `expose_secrets` and the key of a running sandbox of yours in that organization: with the keys of models that you keep.',
  })
  @ApiHeader({
    name: 'X-Session-API-Key',
    required: false,
    schema: { type: 'string', examples: ['bT0pXzv8m2kq4hYw6nRc1sJd9uLfGa3eViQoHtEyZ5M'] },
    description: 'For `expose_secrets`, beside your own key: that of a running sandbox of yours.',
  })
  @ApiOkResponse({ type: CurrentUser, description: 'The user.' })
  @ApiLinks({
    getOrganization: { org_id: '$response.body#/org_id' },
    listOrgConversations: { org_id: '$response.body#/org_id' },
  })
  @ApiErrors(
    { 403: 'Keys are asked for without the key of a running sandbox of yours in the organization.' },
    new SandboxKeyRequiredError(),
  )
  getCurrentUser(
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @PresentedSessionKey() sandboxKey: string | null,
    @Query() query: CurrentUserQuery,
  ): Promise<CurrentUser> {
    return this.users.describe(caller, org, query.expose_secrets ? { sandboxKey } : null);
  }
}
