import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  Access,
  type Caller,
  CurrentCaller,
  CurrentOrg,
  type OrgContext,
  RecentSignIn,
  KeptForUser,
} from '../../kernel/auth';
import { ApiErrors, Success } from '../../kernel/http';
import { PlainErrors } from '../../kernel/validation';
import { SecretCreate, SecretInfo, SecretPage, SecretPath, SecretSearch, SecretUpdate } from './secrets.dto';
import {
  SecretExistsError,
  SecretNotFoundError,
  SecretOfAllOrganizationsError,
  SecretsService,
  TooManySecretsError,
} from './secrets.service';

const UNKNOWN = 'You have no secret of this name.';
const NOT_HERE = 'It holds in all of your organizations, and the key is bound to one.';

@ApiTags('Secrets')
@Access({ org: 'effective', scope: 'manage_application_settings' })
@KeptForUser()
@Controller('api/v1/secrets')
export class SecretsController {
  constructor(private readonly secrets: SecretsService) {}

  @Get('search')
  @ApiOperation({
    summary: 'Search your secrets',
    description: 'Those that your conversations in this organization get, by name; never their values.',
  })
  @ApiOkResponse({ type: SecretPage, description: 'One page.' })
  searchSecrets(
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Query() query: SecretSearch,
  ): Promise<SecretPage> {
    return this.secrets.search(caller, org, query);
  }

  @Post()
  @RecentSignIn()
  @PlainErrors()
  @HttpCode(201)
  @ApiOperation({
    summary: 'Keep a secret',
    description:
      'Agents of your conversations may use it from their next start on. Kept with a bound key it is for its organization only, and there goes before one of the same name that holds everywhere.',
  })
  @ApiCreatedResponse({ type: SecretInfo, description: 'The secret, without its value.' })
  @ApiErrors(
    { 409: 'There is one of this name, or there are as many as there may be.' },
    new SecretExistsError(),
    new TooManySecretsError(),
  )
  @ApiBody({
    type: SecretCreate,
    examples: {
      'A token': {
        value: { name: 'NPM_TOKEN', value: 'npm_example', description: 'For publishing packages' },
      },
    },
  })
  createSecret(@CurrentCaller() caller: Caller, @Body() body: SecretCreate): Promise<SecretInfo> {
    return this.secrets.create(caller, body);
  }

  @Get(':secret_name')
  @ApiOperation({ summary: 'Read a secret', description: 'Without its value, which is never answered.' })
  @ApiOkResponse({ type: SecretInfo, description: 'The secret.' })
  @ApiErrors({ 404: UNKNOWN }, new SecretNotFoundError())
  getSecret(
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Param() path: SecretPath,
  ): Promise<SecretInfo> {
    return this.secrets.get(caller, org, path.secret_name);
  }

  @Put(':secret_name')
  @RecentSignIn()
  @PlainErrors()
  @ApiOperation({
    summary: 'Change a secret',
    description: 'Its name, its description and, where one is given, its value.',
  })
  @ApiOkResponse({ type: SecretInfo, description: 'The secret as it is now.' })
  @ApiErrors(
    { 403: NOT_HERE, 404: UNKNOWN, 409: 'There is another one of the new name.' },
    new SecretOfAllOrganizationsError(),
    new SecretNotFoundError(),
    new SecretExistsError(),
  )
  @ApiBody({
    type: SecretUpdate,
    examples: { 'Another value': { value: { name: 'NPM_TOKEN', value: 'npm_example' } } },
  })
  updateSecret(
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Param() path: SecretPath,
    @Body() body: SecretUpdate,
  ): Promise<SecretInfo> {
    return this.secrets.update(caller, org, path.secret_name, body);
  }

  @Delete(':secret_name')
  @RecentSignIn()
  @ApiOperation({
    summary: 'Delete a secret',
    description: 'Conversations that have started keep what they got.',
  })
  @ApiOkResponse({ type: Success, description: 'It is deleted.' })
  @ApiErrors({ 403: NOT_HERE, 404: UNKNOWN }, new SecretOfAllOrganizationsError(), new SecretNotFoundError())
  async deleteSecret(
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Param() path: SecretPath,
  ): Promise<Success> {
    await this.secrets.delete(caller, org, path.secret_name);
    return { success: true };
  }
}
