import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  Access,
  type Caller,
  CurrentCaller,
  CurrentOrg,
  KeptForUser,
  type OrgContext,
  RecentSignIn,
} from '../../kernel/auth';
import { ApiErrors, Success } from '../../kernel/http';
import { Idempotent } from '../../kernel/idempotency';
import {
  InvalidRoleError,
  MemberNotFoundError,
  OrgPath,
  OWN_ROLE_ID,
  OwnRoleRankError,
  RoleNotFoundError,
  RoleNotHeldError,
} from '../orgs';
import {
  ServiceAccountCreate,
  ServiceAccountList,
  ServiceAccountPath,
  ServiceAccountResponse,
  ServiceAccountUpdate,
} from './service-accounts.dto';
import {
  RoleNotForServiceAccountError,
  ServiceAccountNotFoundError,
  TooManyServiceAccountsError,
} from './service-accounts.errors';
import { MAX_SERVICE_ACCOUNTS, ServiceAccounts } from './service-accounts.service';

const NOT_FOUND = 'The organization has no such service account';
const BAD_ROLE = { 400: 'The role is none that a service account may have.' };
const NOT_HELD = { 403: 'The service account could do what the caller may not.' };
const ROLE_ERRORS = [
  new InvalidRoleError(),
  new OwnRoleRankError(),
  new RoleNotForServiceAccountError(),
  new RoleNotHeldError(['manage_webhooks']),
  new MemberNotFoundError(),
  new RoleNotFoundError(),
];

@KeptForUser()
@ApiTags('Service accounts')
@Access({ org: 'path', permission: 'manage_service_accounts' })
@Controller('api/organizations/:org_id/service-accounts')
export class ServiceAccountsController {
  constructor(private readonly accounts: ServiceAccounts) {}

  @Get()
  @ApiOperation({ summary: 'List the service accounts', description: 'With their roles and owners.' })
  @ApiOkResponse({ type: ServiceAccountList, description: 'All of them.' })
  listServiceAccounts(@Param() _path: OrgPath, @CurrentOrg() org: OrgContext): Promise<ServiceAccountList> {
    return this.accounts.list(org);
  }

  @Post()
  @RecentSignIn()
  @HttpCode(201)
  @Idempotent()
  @ApiOperation({
    summary: 'Make a service account',
    description:
      'A user without an address, which only keys act for: for programs. Its role permits nothing that the caller may not.',
  })
  @ApiCreatedResponse({
    type: ServiceAccountResponse,
    description: 'The service account, which has no key yet.',
  })
  @ApiErrors(
    {
      ...BAD_ROLE,
      ...NOT_HELD,
      404: 'The organization has no such member or role of its own.',
      409: 'There are as many as there may be.',
    },
    ...ROLE_ERRORS,
    new TooManyServiceAccountsError(MAX_SERVICE_ACCOUNTS),
  )
  @ApiBody({
    type: ServiceAccountCreate,
    examples: {
      'Like a member': { value: { name: 'Nightly build' } },
      "With one of the organization's own roles": { value: { name: 'Archive', own_role_id: OWN_ROLE_ID } },
    },
  })
  createServiceAccount(
    @Param() _path: OrgPath,
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Body() body: ServiceAccountCreate,
  ): Promise<ServiceAccountResponse> {
    return this.accounts.create(caller, org, body);
  }

  @Get(':account_id')
  @ApiOperation({ summary: 'Read a service account', description: 'With its role and owner.' })
  @ApiOkResponse({ type: ServiceAccountResponse, description: 'The service account.' })
  @ApiErrors({ 404: `${NOT_FOUND}.` }, new ServiceAccountNotFoundError())
  getServiceAccount(
    @Param() path: ServiceAccountPath,
    @CurrentOrg() org: OrgContext,
  ): Promise<ServiceAccountResponse> {
    return this.accounts.get(org, path.account_id);
  }

  @Patch(':account_id')
  @RecentSignIn()
  @ApiOperation({
    summary: 'Change a service account',
    description:
      'What is absent stays. By who has all that its role permitted and will permit; its keys can do the new things, and no others, at once.',
  })
  @ApiOkResponse({ type: ServiceAccountResponse, description: 'The service account as it is now.' })
  @ApiErrors(
    { ...BAD_ROLE, ...NOT_HELD, 404: `${NOT_FOUND}, member or role of its own.` },
    ...ROLE_ERRORS,
    new ServiceAccountNotFoundError(),
  )
  @ApiBody({
    type: ServiceAccountUpdate,
    examples: {
      'Another owner': { value: { owner_user_id: '3f333df6-90a4-4fda-8dd3-9485d27cee36' } },
      'Another role': { value: { role: 'member' } },
    },
  })
  updateServiceAccount(
    @Param() path: ServiceAccountPath,
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Body() body: ServiceAccountUpdate,
  ): Promise<ServiceAccountResponse> {
    return this.accounts.update(caller, org, path.account_id, body);
  }

  @Delete(':account_id')
  @RecentSignIn()
  @ApiOperation({
    summary: 'Delete a service account',
    description:
      'Its keys end, its queued messages fail and its sandboxes are paused; its conversations stay, as those of a member do.',
  })
  @ApiOkResponse({ type: Success, description: 'It is deleted.' })
  @ApiErrors(
    { ...NOT_HELD, 404: `${NOT_FOUND}.` },
    new RoleNotHeldError(['manage_webhooks']),
    new ServiceAccountNotFoundError(),
  )
  async deleteServiceAccount(
    @Param() path: ServiceAccountPath,
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
  ): Promise<Success> {
    await this.accounts.delete(caller, org, path.account_id);
    return { success: true };
  }
}
