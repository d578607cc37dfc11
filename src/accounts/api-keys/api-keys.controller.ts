import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  Access,
  type Caller,
  CurrentCaller,
  CurrentOrg,
  type OrgContext,
  RecentSignIn,
} from '../../kernel/auth';
import { ApiErrors } from '../../kernel/http';
import { Idempotent } from '../../kernel/idempotency';
import {
  ApiKeyCreate,
  ApiKeyCreated,
  ApiKeyPath,
  ApiKeyResponse,
  ApiKeyRevoked,
  CurrentApiKey,
} from './api-keys.dto';
import {
  KeyExpiryInvalidError,
  KeyNotFoundError,
  KeyOutlivesMakerError,
  TooManyKeysError,
} from './api-keys.errors';
import { ApiKeysService, MAX_KEYS } from './api-keys.service';

@ApiTags('Keys')
@Access({ org: 'effective', permission: 'manage_api_keys' })
@Controller('api/keys')
export class ApiKeysController {
  constructor(private readonly keys: ApiKeysService) {}

  @Get()
  @ApiOperation({
    summary: 'List your keys',
    description: 'Without their texts. With a bound key: those bound to the same organization.',
  })
  @ApiOkResponse({ type: [ApiKeyResponse], description: 'The keys, oldest first.' })
  listApiKeys(@CurrentCaller() caller: Caller): Promise<ApiKeyResponse[]> {
    return this.keys.list(caller);
  }

  @Post()
  @RecentSignIn()
  @HttpCode(200)
  @Idempotent({ hides: ['key'] })
  @ApiOperation({
    summary: 'Make a key',
    description:
      'The key is answered this once. No key makes one that works longer or in more organizations than itself.',
  })
  @ApiOkResponse({ type: ApiKeyCreated, description: 'The key, with its text.' })
  @ApiErrors(
    {
      400: 'The key would never work (`key_expiry_invalid`).',
      403: 'The key would reach further than the one that makes it.',
      409: 'You have as many keys as there may be.',
    },
    new KeyExpiryInvalidError(),
    new KeyOutlivesMakerError(),
    new TooManyKeysError(MAX_KEYS),
  )
  @ApiBody({
    type: ApiKeyCreate,
    examples: {
      'A key for this organization': { value: { name: 'Nightly build' } },
      'A key for all of them, until a day': {
        value: { name: 'Laptop', expires_at: '2030-01-01T00:00:00Z', org_id: null },
      },
    },
  })
  createApiKey(
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Body() body: ApiKeyCreate,
  ): Promise<ApiKeyCreated> {
    return this.keys.create(caller, org, body);
  }

  @Get('current')
  @ApiOperation({
    summary: 'The key of this request',
    description: 'Tells whose key it is and in which organization requests with it act.',
  })
  @ApiOkResponse({ type: CurrentApiKey, description: 'The key and what it stands for.' })
  getCurrentApiKey(@CurrentCaller() caller: Caller, @CurrentOrg() org: OrgContext): CurrentApiKey {
    return this.keys.current(caller, org);
  }

  @Delete(':key_id')
  @RecentSignIn()
  @ApiOperation({ summary: 'Revoke a key', description: 'Requests with it are 401 from the next one on.' })
  @ApiOkResponse({ type: ApiKeyRevoked, description: 'The key is revoked.' })
  @ApiErrors({ 404: 'You have no key with this id.' }, new KeyNotFoundError())
  revokeApiKey(@CurrentCaller() caller: Caller, @Param() path: ApiKeyPath): Promise<ApiKeyRevoked> {
    return this.keys.revoke(caller, path.key_id);
  }
}
