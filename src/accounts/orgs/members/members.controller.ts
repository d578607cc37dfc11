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
} from '../organizations/orgs.errors';
import { MembersService } from './members.service';
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
      'By somebody of higher rank, or an owner; never to a role above the own, and never the own role.',
  })
  @ApiOkResponse({ type: OrgMemberResponse, description: 'The member with the new role.' })
  @ApiErrors(
    {
      400: 'The role is none of the three (`invalid_role`).',
      403: 'The caller’s rank is too low, or the role is their own.',
      404: 'The organization has no such member.',
    },
    new InvalidRoleError(),
    new OwnRoleError(),
    new RankTooLowError(),
    new MemberNotFoundError(),
  )
  @ApiBody({ type: MemberUpdate, examples: { 'Make an admin': { value: { role: 'admin' } } } })
  changeMemberRole(
    @Param() path: MemberPath,
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Body() body: MemberUpdate,
  ): Promise<OrgMemberResponse> {
    return this.members.changeRole(caller, org, path.user_id, body.role);
  }

  @Delete('organizations/:org_id/members/:user_id')
  @RecentSignIn()
  @Access({ org: 'path' })
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
      409: 'The last owner cannot leave (`last_owner`).',
    },
    new RankTooLowError(),
    new MemberNotFoundError(),
    new LastOwnerError(),
  )
  removeMember(
    @Param() path: MemberPath,
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
  ): Promise<MemberRemoved> {
    return this.members.remove(caller, org, path.user_id);
  }
}
