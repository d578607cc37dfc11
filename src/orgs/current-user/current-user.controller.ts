import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access, type Caller, CurrentCaller, CurrentOrg, type OrgContext } from '../../auth';
import { ApiLinks } from '../../http';
import { CurrentUser } from './current-user.dto';
import { CurrentUserService } from './current-user.service';

@ApiTags('Organizations')
@Controller('api/v1/users/me')
export class CurrentUserController {
  constructor(private readonly users: CurrentUserService) {}

  @Get()
  @Access({ org: 'effective', permission: 'view_org_settings' })
  @ApiOperation({
    summary: 'Who you are',
    description:
      'The user of the key, the organization the request acts in, what they may do there, and what conversations run on. No secret is answered, whatever the query asks for.',
  })
  @ApiOkResponse({ type: CurrentUser, description: 'The user.' })
  @ApiLinks({
    getOrganization: { org_id: '$response.body#/org_id' },
    listOrgConversations: { org_id: '$response.body#/org_id' },
  })
  getCurrentUser(@CurrentCaller() caller: Caller, @CurrentOrg() org: OrgContext): Promise<CurrentUser> {
    return this.users.describe(caller, org);
  }
}
