import { Body, Controller, Delete, Get, Param, Patch, Query } from '@nestjs/common';
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
import {
  MemberPath,
  MemberQuery,
  MemberRemoved,
  MemberUpdate,
  OrgMemberPage,
  OrgMemberResponse,
  OwnMembership,
} from './members.dto';
import {
  InvalidRoleError,
  LastOwnerError,
  MemberNotFoundError,
  OwnRoleError,
  RankTooLowError,
  ServiceAccountError,
} from '../organizations/orgs.errors';
import { OwnRoleRankError, RoleNotFoundError, RoleNotHeldError } from '../roles/roles.errors';
import { MembersService } from './members.service';
import { OWN_ROLE_ID } from '../roles/roles.dto';
import { OrgPath } from '../organizations/organizations.dto';

@ApiTags('Organizations')
@Controller('api')
export class MembersController {
  constructor(private readonly members: MembersService) {}

  @Get('organizations/:org_id/me')
  @Access({ org: 'path', permission: 'view_org_settings' })
  @ApiOperation({ summary: 'Your membership', description: 'Your role in the organization and its rights.' })
  @ApiOkResponse({ type: OwnMembership, description: 'The membership.' })
  getOwnMembership(
    @Param() _path: OrgPath,
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
  ): Promise<OwnMembership> {
    return this.members.own(caller, org);
  }

  @Get('organizations/:org_id/members')
  @Access({ org: 'path', permission: 'view_org_settings' })
  @ApiOperation({
    summary: 'List the members',
    description: 'All or those found, in pages, in a fixed order.',
  })
  @ApiOkResponse({ type: OrgMemberPage, description: 'One page of them.' })
  listOrgMembers(
    @Param() _path: OrgPath,
    @CurrentOrg() org: OrgContext,
    @Query() query: MemberQuery,
  ): Promise<OrgMemberPage> {
    return this.members.list(org, query);
  }

  @Patch('organizations/:org_id/members/:user_id')
  @RecentSignIn()
  @Access({ org: 'path', permission: 'change_user_role:member' })
  @ApiOperation({
    summary: "Change a member's role",
    description:
      "By somebody of higher rank, or an owner; never to a role above the own, and never the own role. To one of the organization's own roles by who has all its permissions.",
  })
  @ApiOkResponse({ type: OrgMemberResponse, description: 'The member with the new role.' })
  @ApiErrors(
    {
      400: 'The role is none of the three (`invalid_role`), or does not go with an own role.',
      403: 'The caller’s rank is too low, or the role is their own, or permits what they may not.',
      404: 'The organization has no such member, or no such role of its own.',
      409: 'The member is a service account.',
    },
    new InvalidRoleError(),
    new OwnRoleRankError(),
    new OwnRoleError(),
    new RankTooLowError(),
    new RoleNotHeldError(['view_audit_log']),
    new MemberNotFoundError(),
    new RoleNotFoundError(),
    new ServiceAccountError(),
  )
  @ApiBody({
    type: MemberUpdate,
    examples: {
      'Make an admin': { value: { role: 'admin' } },
      "Give one of the organization's own roles": { value: { own_role_id: OWN_ROLE_ID } },
    },
  })
  changeMemberRole(
    @Param() path: MemberPath,
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Body() body: MemberUpdate,
  ): Promise<OrgMemberResponse> {
    return this.members.changeRole(caller, org, path.user_id, body);
  }

  @Delete('organizations/:org_id/members/:user_id')
  @RecentSignIn()
  @Access({ org: 'path', scope: 'any' })
  @ApiOperation({
    summary: 'Remove a member, or leave',
    description:
      'By somebody of higher rank, or an owner; anyone may leave. Their queued messages fail and their sandboxes are paused.',
  })
  @ApiOkResponse({ type: MemberRemoved, description: 'They are no member any more.' })
  @ApiErrors(
    {
      403: 'The caller’s rank is too low.',
      404: 'The organization has no such member.',
      409: 'The last owner cannot leave (`last_owner`), or the member is a service account.',
    },
    new RankTooLowError(),
    new MemberNotFoundError(),
    new LastOwnerError(),
    new ServiceAccountError(),
  )
  removeMember(
    @Param() path: MemberPath,
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
  ): Promise<MemberRemoved> {
    return this.members.remove(caller, org, path.user_id);
  }
}
