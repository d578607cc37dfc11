import { Controller, Delete, HttpCode, Param, Query } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  Access,
  type Caller,
  CurrentCaller,
  CurrentOrg,
  type OrgContext,
  RecentSignIn,
} from '../../../kernel/auth';
import { ApiErrors } from '../../../kernel/http';
import { OrgPath } from '../organizations/organizations.dto';
import { OrganizationDeletionQuery, OrganizationEndResponse } from './ending.dto';
import { OrganizationHeldError, NotConfirmedError, OrganizationEndingError } from './ending.errors';
import { OrganizationDeletion } from './organization-deletion';

@ApiTags('Organizations')
@Controller('api/organizations/:org_id')
export class EndingController {
  constructor(private readonly deletion: OrganizationDeletion) {}

  @Delete()
  @HttpCode(202)
  @Access({ org: 'path', permission: 'delete_organization' })
  @RecentSignIn()
  @ApiOperation({
    summary: 'Delete an organization',
    description:
      'Owners only. From the response on nobody is a member, and nothing of it can be reached; its sandboxes end, and everything it has is deleted, which cannot be undone. Accounts of people stay, but for those that it alone had.',
  })
  @ApiAcceptedResponse({ type: OrganizationEndResponse, description: 'It is being deleted.' })
  @ApiErrors(
    {
      400: 'The confirmation is not its name.',
      409: 'Something of it is under a legal hold (`legal_hold`), or it is being deleted already.',
    },
    new NotConfirmedError(),
    new OrganizationHeldError(),
    new OrganizationEndingError(),
  )
  deleteOrganization(
    @Param() _path: OrgPath,
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Query() { confirm }: OrganizationDeletionQuery,
  ): Promise<OrganizationEndResponse> {
    return this.deletion.delete(caller, org, confirm);
  }
}
