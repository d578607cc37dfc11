import { Body, Controller, Delete, Param, Put } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
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
import { KeyAgainstRulesError, KeyExceedsMakerError, KeyOutlivesMakerError } from '../api-keys';
import { IdentityTakenError, ProviderNotFoundError } from '../identity-providers';
import { ServiceAccountIdentities } from './service-account-identities';
import {
  ServiceAccountIdentityUpdate,
  ServiceAccountPath,
  ServiceAccountResponse,
} from './service-accounts.dto';
import { ServiceAccountIdentityNotFoundError, ServiceAccountNotFoundError } from './service-accounts.errors';

const NOT_FOUND = 'The organization has no such service account';

@KeptForUser()
@ApiTags('Service accounts')
@Access({ org: 'path', permission: 'manage_service_accounts' })
@Controller('api/organizations/:org_id/service-accounts/:account_id/identity')
export class ServiceAccountIdentitiesController {
  constructor(private readonly identities: ServiceAccountIdentities) {}

  @Put()
  @RecentSignIn()
  @ApiOperation({
    summary: 'Have tokens of a provider act for a service account',
    description:
      'In place of the subject before. Its tokens work in the organization, for what both the service account and the caller may do, until the caller leaves.',
  })
  @ApiOkResponse({ type: ServiceAccountResponse, description: 'The service account as it is now.' })
  @ApiErrors(
    {
      403: 'Tokens would reach further than the key that the caller sends, or longer, or the organization has rules about who makes keys.',
      404: `${NOT_FOUND}, or no such provider of its own.`,
      409: 'The subject is that of a person, or of another service account.',
    },
    new KeyOutlivesMakerError(),
    new KeyExceedsMakerError(),
    new KeyAgainstRulesError('In Tools team, keys are made by nobody below the role admin.'),
    new ServiceAccountNotFoundError(),
    new ProviderNotFoundError(),
    new IdentityTakenError(),
  )
  @ApiBody({
    type: ServiceAccountIdentityUpdate,
    examples: {
      'A client of the provider': {
        value: { provider_id: '1d7e3a52-6c0b-4f8e-9a11-2b5d8c4e7f60', subject: 'nightly-build' },
      },
    },
  })
  bindServiceAccountIdentity(
    @Param() path: ServiceAccountPath,
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Body() body: ServiceAccountIdentityUpdate,
  ): Promise<ServiceAccountResponse> {
    return this.identities.bind(caller, org, path.account_id, body);
  }

  @Delete()
  @RecentSignIn()
  @ApiOperation({
    summary: 'Have no tokens of a provider act for a service account',
    description: 'Requests with them are 401 from the next one on; its keys stay.',
  })
  @ApiOkResponse({ type: Success, description: 'No tokens act for it.' })
  @ApiErrors(
    { 404: `${NOT_FOUND}, or no tokens act for it.` },
    new ServiceAccountNotFoundError(),
    new ServiceAccountIdentityNotFoundError(),
  )
  async unbindServiceAccountIdentity(
    @Param() path: ServiceAccountPath,
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
  ): Promise<Success> {
    await this.identities.unbind(caller, org, path.account_id);
    return { success: true };
  }
}
