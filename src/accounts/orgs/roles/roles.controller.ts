import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  Access,
  type Caller,
  CurrentCaller,
  CurrentOrg,
  type OrgContext,
  RecentSignIn,
} from '../../../kernel/auth';
import { ApiErrors, Success } from '../../../kernel/http';
import { Idempotent } from '../../../kernel/idempotency';
import { OrgPath } from '../organizations/organizations.dto';
import { OwnRoleError } from '../organizations/orgs.errors';
import { OrgRoleList, OrgRoleResponse, RoleCreate, RolePath, RoleUpdate } from './roles.dto';
import {
  RoleInUseError,
  RoleNameTakenError,
  RoleNotFoundError,
  RoleNotHeldError,
  TooManyRolesError,
} from './roles.errors';
import { MAX_ROLES, OwnRoles } from './own-roles';

const NOT_FOUND = { 404: 'The organization has no such role of its own.' };
const NOT_HELD = { 403: 'The role permits what the caller may not.' };
const NOT_CHANGEABLE = { 403: 'The role permits what the caller may not, or is their own.' };
const LACKED = new RoleNotHeldError(['delete_organization']);

@ApiTags('Organizations')
@Controller('api/organizations/:org_id/roles')
export class RolesController {
  constructor(private readonly roles: OwnRoles) {}

  @Get()
  @Access({ org: 'path', permission: 'view_org_settings' })
  @ApiOperation({
    summary: "List the organization's own roles",
    description: 'Those it made of permissions, beside the three that all organizations have.',
  })
  @ApiOkResponse({ type: OrgRoleList, description: 'All of them.' })
  listOrgRoles(@Param() _path: OrgPath, @CurrentOrg() org: OrgContext): Promise<OrgRoleList> {
    return this.roles.list(org);
  }

  @Post()
  @RecentSignIn()
  @HttpCode(201)
  @Idempotent()
  @Access({ org: 'path', permission: 'manage_roles' })
  @ApiOperation({
    summary: 'Make a role',
    description: 'Of permissions that the caller has. Who gets it ranks as member.',
  })
  @ApiCreatedResponse({ type: OrgRoleResponse, description: 'The role.' })
  @ApiErrors(
    { ...NOT_HELD, 409: 'The name is taken, or there are as many roles as there may be.' },
    LACKED,
    new RoleNameTakenError(),
    new TooManyRolesError(MAX_ROLES),
  )
  @ApiBody({
    type: RoleCreate,
    examples: {
      'Reads list and audit log, and nothing else': {
        value: { name: 'Auditor', permissions: ['view_org_conversations', 'view_audit_log'] },
      },
    },
  })
  createOrgRole(
    @Param() _path: OrgPath,
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Body() body: RoleCreate,
  ): Promise<OrgRoleResponse> {
    return this.roles.create(caller, org, body);
  }

  @Patch(':role_id')
  @RecentSignIn()
  @Access({ org: 'path', permission: 'manage_roles' })
  @ApiOperation({
    summary: 'Change a role',
    description:
      'What is absent stays. By who has all that it permitted and will permit, and does not have it themselves; its members may do the new things, and no others, at once.',
  })
  @ApiOkResponse({ type: OrgRoleResponse, description: 'The role as it is now.' })
  @ApiErrors(
    { ...NOT_CHANGEABLE, ...NOT_FOUND, 409: 'The name is taken.' },
    LACKED,
    new OwnRoleError(),
    new RoleNotFoundError(),
    new RoleNameTakenError(),
  )
  @ApiBody({
    type: RoleUpdate,
    examples: { 'Other permissions': { value: { permissions: ['view_org_conversations'] } } },
  })
  updateOrgRole(
    @Param() path: RolePath,
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Body() body: RoleUpdate,
  ): Promise<OrgRoleResponse> {
    return this.roles.update(caller, org, path.role_id, body);
  }

  @Delete(':role_id')
  @RecentSignIn()
  @Access({ org: 'path', permission: 'manage_roles' })
  @ApiOperation({ summary: 'Delete a role', description: 'One that no member has.' })
  @ApiOkResponse({ type: Success, description: 'It is deleted.' })
  @ApiErrors(
    { ...NOT_CHANGEABLE, ...NOT_FOUND, 409: 'Members have it.' },
    LACKED,
    new OwnRoleError(),
    new RoleNotFoundError(),
    new RoleInUseError(),
  )
  async deleteOrgRole(
    @Param() path: RolePath,
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
  ): Promise<Success> {
    await this.roles.delete(caller, org, path.role_id);
    return { success: true };
  }
}
