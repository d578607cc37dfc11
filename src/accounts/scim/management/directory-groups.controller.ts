import { Body, Controller, Get, Param, Put, Query } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  Access,
  type Caller,
  CurrentCaller,
  CurrentOrg,
  type OrgContext,
  RecentSignIn,
} from '../../../kernel/auth';
import { ApiErrors } from '../../../kernel/http';
import { OrgPath, PageQuery, RankTooLowError, RoleNotHeldError } from '../../orgs';
import { GroupRoleInvalidError, ScimGroupNotFoundError } from '../record/scim.errors';
import {
  DirectoryGroupPage,
  DirectoryGroupPath,
  DirectoryGroupResponse,
  DirectoryGroupRole,
} from './directory-groups.dto';
import { DirectoryGroups } from './directory-groups.service';

@ApiTags('Directories')
@Access({ org: 'path', permission: 'manage_scim' })
@Controller('api/organizations/:org_id/scim-groups')
export class DirectoryGroupsController {
  constructor(private readonly groups: DirectoryGroups) {}

  @Get()
  @ApiOperation({
    summary: "List the groups of the organization's directory",
    description: 'In pages, in a fixed order, with the roles that their members get.',
  })
  @ApiOkResponse({ type: DirectoryGroupPage, description: 'One page of them.' })
  listScimGroupRoles(
    @Param() _path: OrgPath,
    @CurrentOrg() org: OrgContext,
    @Query() query: PageQuery,
  ): Promise<DirectoryGroupPage> {
    return this.groups.list(org, query);
  }

  @Put(':group_id')
  @RecentSignIn()
  @ApiOperation({
    summary: 'Give the members of a group a role',
    description:
      'Those who are in several groups have the highest of their roles; without any, they are members. The last owner stays one.',
  })
  @ApiOkResponse({ type: DirectoryGroupResponse, description: 'The group with the role.' })
  @ApiErrors(
    {
      400: 'The role is none (`invalid_role`).',
      403: 'The role is above the caller’s, or permits what they may not.',
      404: 'The directory has no such group.',
    },
    new GroupRoleInvalidError(),
    new RankTooLowError(),
    new RoleNotHeldError([]),
    new ScimGroupNotFoundError(),
  )
  @ApiBody({ type: DirectoryGroupRole, examples: { 'Make them admins': { value: { role: 'admin' } } } })
  setScimGroupRole(
    @Param() path: DirectoryGroupPath,
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Body() body: DirectoryGroupRole,
  ): Promise<DirectoryGroupResponse> {
    return this.groups.setRole(caller, org, { group: path.group_id, role: body.role });
  }
}
