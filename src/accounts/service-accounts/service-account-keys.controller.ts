import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  Access,
  AddressRangeInvalidError,
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
  KeyAgainstRulesError,
  KeyCreate,
  KeyExceedsMakerError,
  KeyExpiryInvalidError,
  KeyOutlivesMakerError,
  KeyScopeUnknownError,
} from '../api-keys';
import { MAX_SERVICE_ACCOUNT_KEYS, ServiceAccountKeys } from './service-account-keys';
import {
  ServiceAccountKeyCreated,
  ServiceAccountKeyList,
  ServiceAccountKeyPath,
  ServiceAccountPath,
} from './service-accounts.dto';
import {
  ServiceAccountKeyNotFoundError,
  ServiceAccountNotFoundError,
  TooManyServiceAccountKeysError,
} from './service-accounts.errors';

const NOT_FOUND = 'The organization has no such service account';

@KeptForUser()
@ApiTags('Service accounts')
@Access({ org: 'path', permission: 'manage_service_accounts' })
@Controller('api/organizations/:org_id/service-accounts/:account_id/keys')
export class ServiceAccountKeysController {
  constructor(private readonly keys: ServiceAccountKeys) {}

  @Get()
  @ApiOperation({ summary: 'List the keys of a service account', description: 'Without their texts.' })
  @ApiOkResponse({ type: ServiceAccountKeyList, description: 'All of them.' })
  @ApiErrors({ 404: `${NOT_FOUND}.` }, new ServiceAccountNotFoundError())
  listServiceAccountKeys(
    @Param() path: ServiceAccountPath,
    @CurrentOrg() org: OrgContext,
  ): Promise<ServiceAccountKeyList> {
    return this.keys.list(org, path.account_id);
  }

  @Post()
  @RecentSignIn()
  @HttpCode(201)
  @Idempotent({ hides: ['key'] })
  @ApiOperation({
    summary: 'Make a key of a service account',
    description:
      'The key is answered this once. It works in the organization, for what both the service account and the caller may do, and ends when the caller leaves.',
  })
  @ApiCreatedResponse({ type: ServiceAccountKeyCreated, description: 'The key, with its text.' })
  @ApiErrors(
    {
      400: 'The key would never work, or has a scope or a range of addresses that is none.',
      403: 'The key would reach further than the one that makes it, or the organization has rules against it.',
      404: `${NOT_FOUND}.`,
      409: 'It has as many keys as there may be.',
    },
    new KeyExpiryInvalidError(),
    new KeyOutlivesMakerError(),
    new KeyScopeUnknownError('run_conversations'),
    new AddressRangeInvalidError('10.0.0.1/8', 'that range begins at 10.0.0.0'),
    new KeyExceedsMakerError(),
    new KeyAgainstRulesError('In Tools team, keys need scopes.'),
    new ServiceAccountNotFoundError(),
    new TooManyServiceAccountKeysError(MAX_SERVICE_ACCOUNT_KEYS),
  )
  @ApiBody({
    type: KeyCreate,
    examples: {
      'For all that it may do': { value: { name: 'CI' } },
      'To start conversations, until a day': {
        value: { name: 'CI', expires_at: '2030-01-01T00:00:00Z', scopes: ['use_conversations'] },
      },
    },
  })
  createServiceAccountKey(
    @Param() path: ServiceAccountPath,
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Body() body: KeyCreate,
  ): Promise<ServiceAccountKeyCreated> {
    return this.keys.create(caller, org, path.account_id, body);
  }

  @Delete(':key_id')
  @RecentSignIn()
  @ApiOperation({
    summary: 'Revoke a key of a service account',
    description: 'Requests with it are 401 from the next one on.',
  })
  @ApiOkResponse({ type: Success, description: 'The key is revoked.' })
  @ApiErrors(
    { 404: `${NOT_FOUND}, or it no such key.` },
    new ServiceAccountNotFoundError(),
    new ServiceAccountKeyNotFoundError(),
  )
  async revokeServiceAccountKey(
    @Param() path: ServiceAccountKeyPath,
    @CurrentOrg() org: OrgContext,
  ): Promise<Success> {
    await this.keys.revoke(org, path.account_id, path.key_id);
    return { success: true };
  }
}
