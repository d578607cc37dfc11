import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { OrgPath, RoleNotHeldError } from '../../orgs';
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
import { PlainErrors } from '../../../kernel/validation';
import {
  ProviderCreate,
  ProviderList,
  ProviderPath,
  ProviderResponse,
  ProviderTest,
  ProviderUpdate,
} from './providers.dto';
import { NotSignedInByProviderError, ProviderNotFoundError, TooManyProvidersError } from './providers.errors';
import { ProvidersService } from './providers.service';

const NOT_HELD = {
  403: 'The caller lacks a permission of a role that the provider is to give, or of an owner, whom it could name.',
};
const LACKED = new RoleNotHeldError(['manage_scim']);
const NOT_FOUND = { 404: 'The organization has no such provider.' };

@ApiTags('Sign-in providers')
@Access({ org: 'path', permission: 'manage_identity_providers' })
@Controller('api/organizations/:org_id/identity-providers')
export class ProvidersController {
  constructor(private readonly providers: ProvidersService) {}

  @Get()
  @ApiOperation({
    summary: 'List the providers of identities',
    description: 'With which people sign in to the organization; without secrets.',
  })
  @ApiOkResponse({ type: ProviderList, description: 'All of them.' })
  listIdentityProviders(@Param() _path: OrgPath, @CurrentOrg() org: OrgContext): Promise<ProviderList> {
    return this.providers.list(org);
  }

  @Post()
  @RecentSignIn()
  @HttpCode(201)
  @Idempotent()
  @PlainErrors()
  @ApiOperation({
    summary: 'Add a provider of identities',
    description:
      'An OpenID provider, which lets in whose mail addresses are of verified domains of the organization. Nothing is asked of it yet: test it afterwards.',
  })
  @ApiCreatedResponse({ type: ProviderResponse, description: 'The provider, with what it has to be told.' })
  @ApiErrors(
    { ...NOT_HELD, 409: 'The organization has as many as it may have.' },
    LACKED,
    new TooManyProvidersError(),
  )
  @ApiBody({
    type: ProviderCreate,
    examples: {
      'Everybody with an address of a verified domain': {
        value: {
          name: 'Acme sign-in',
          issuer: 'https://sign-in.example.com',
          client_id: 'agents',
          client_secret: 'a-client-secret',
          default_role: 'member',
        },
      },
      'Those in two groups': {
        value: {
          name: 'Acme sign-in',
          issuer: 'https://sign-in.example.com',
          client_id: 'agents',
          client_secret: 'a-client-secret',
          scope: 'openid email profile groups',
          group_roles: [
            { group: 'platform-admins', role: 'admin' },
            { group: 'developers', role: 'member' },
          ],
        },
      },
    },
  })
  createIdentityProvider(
    @Param() _path: OrgPath,
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Body() body: ProviderCreate,
  ): Promise<ProviderResponse> {
    return this.providers.create(caller, org, body);
  }

  @Get(':provider_id')
  @ApiOperation({ summary: 'Read a provider of identities', description: 'Without its secret.' })
  @ApiOkResponse({ type: ProviderResponse, description: 'The provider.' })
  @ApiErrors(NOT_FOUND, new ProviderNotFoundError())
  getIdentityProvider(@Param() path: ProviderPath, @CurrentOrg() org: OrgContext): Promise<ProviderResponse> {
    return this.providers.get(org, path.provider_id);
  }

  @Patch(':provider_id')
  @RecentSignIn()
  @PlainErrors()
  @ApiOperation({
    summary: 'Change a provider of identities',
    description:
      'What is absent stays. With `exclusive`, keys of people and sessions that did not come of it stop working in the organization.',
  })
  @ApiOkResponse({ type: ProviderResponse, description: 'The provider as it is now.' })
  @ApiErrors(
    { ...NOT_HELD, ...NOT_FOUND, 409: 'It is to be the only one, and the caller did not sign in with it.' },
    LACKED,
    new ProviderNotFoundError(),
    new NotSignedInByProviderError(),
  )
  @ApiBody({
    type: ProviderUpdate,
    examples: {
      'Another default role': { value: { default_role: null } },
      'Another secret': { value: { client_secret: 'another-client-secret' } },
    },
  })
  updateIdentityProvider(
    @Param() path: ProviderPath,
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Body() body: ProviderUpdate,
  ): Promise<ProviderResponse> {
    return this.providers.update(caller, org, path.provider_id, body);
  }

  @Delete(':provider_id')
  @RecentSignIn()
  @ApiOperation({
    summary: 'Delete a provider of identities',
    description: 'With the sessions of who signed in with it. They stay members.',
  })
  @ApiOkResponse({ type: Success, description: 'It is deleted.' })
  @ApiErrors(NOT_FOUND, new ProviderNotFoundError())
  async deleteIdentityProvider(
    @Param() path: ProviderPath,
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
  ): Promise<Success> {
    await this.providers.delete(caller, org, path.provider_id);
    return { success: true };
  }

  @Post(':provider_id/test')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Test a provider of identities',
    description: 'Reads its discovery document and its keys, now, and says what is wrong with them.',
  })
  @ApiOkResponse({ type: ProviderTest, description: 'Whether people can be sent there.' })
  @ApiErrors(NOT_FOUND, new ProviderNotFoundError())
  testIdentityProvider(@Param() path: ProviderPath, @CurrentOrg() org: OrgContext): Promise<ProviderTest> {
    return this.providers.test(org, path.provider_id);
  }
}
