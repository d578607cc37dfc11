import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  Access,
  AddressRangeInvalidError,
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
  ApiKeyRotate,
  CurrentApiKey,
} from './api-keys.dto';
import {
  KeyAgainstRulesError,
  KeyExceedsMakerError,
  KeyExpiryInvalidError,
  KeyNotFoundError,
  KeyNotRotatableError,
  KeyOutlivesMakerError,
  KeyScopeUnknownError,
  TooManyKeysError,
} from './api-keys.errors';
import { ApiKeysService, MAX_KEYS } from './api-keys.service';
import { KeyRotation } from './rotation/key-rotation';

@ApiTags('Keys')
@Controller('api/keys')
export class ApiKeysController {
  constructor(
    private readonly keys: ApiKeysService,
    private readonly rotation: KeyRotation,
  ) {}

  @Get()
  @Access({ org: 'effective', permission: 'manage_api_keys' })
  @ApiOperation({
    summary: 'List your keys',
    description: 'Without their texts. With a bound key: those bound to the same organization.',
  })
  @ApiOkResponse({ type: [ApiKeyResponse], description: 'The keys, oldest first.' })
  listApiKeys(@CurrentCaller() caller: Caller): Promise<ApiKeyResponse[]> {
    return this.keys.list(caller);
  }

  @Post()
  @Access({ org: 'effective', permission: 'manage_api_keys' })
  @RecentSignIn()
  @HttpCode(200)
  @Idempotent({ hides: ['key'] })
  @ApiOperation({
    summary: 'Make a key',
    description:
      'The key is answered this once. No key makes one that works longer, in more organizations, from more addresses or with more scopes than itself.',
  })
  @ApiOkResponse({ type: ApiKeyCreated, description: 'The key, with its text.' })
  @ApiErrors(
    {
      400: 'The key would never work (`key_expiry_invalid`), or has a scope or a range of addresses that is none.',
      403: 'The key would reach further than the one that makes it, or an organization has rules against it.',
      409: 'You have as many keys as there may be.',
    },
    new KeyExpiryInvalidError(),
    new KeyScopeUnknownError('run_conversations'),
    new AddressRangeInvalidError('10.0.0.1/8', 'that range begins at 10.0.0.0'),
    new KeyOutlivesMakerError(),
    new KeyExceedsMakerError(),
    new KeyAgainstRulesError('In Tools team, keys need an expires_at within 90 days.'),
    new TooManyKeysError(MAX_KEYS),
  )
  @ApiBody({
    type: ApiKeyCreate,
    examples: {
      'A key for this organization': { value: { name: 'Nightly build' } },
      'A key for all of them, until a day': {
        value: { name: 'Laptop', expires_at: '2030-01-01T00:00:00Z', org_id: null },
      },
      'A key that only manages webhooks, from one network': {
        value: { name: 'Deployment', scopes: ['manage_webhooks'], address_ranges: ['203.0.113.0/24'] },
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
  @Access({ org: 'effective', scope: 'any' })
  @ApiOperation({
    summary: 'The key of this request',
    description: 'Tells whose key it is and in which organization requests with it act.',
  })
  @ApiOkResponse({ type: CurrentApiKey, description: 'The key and what it stands for.' })
  getCurrentApiKey(@CurrentCaller() caller: Caller, @CurrentOrg() org: OrgContext): CurrentApiKey {
    return this.keys.current(caller, org);
  }

  @Post(':key_id/rotate')
  @Access({ org: 'effective', permission: 'manage_api_keys' })
  @RecentSignIn()
  @HttpCode(200)
  @Idempotent({ hides: ['key'] })
  @ApiOperation({
    summary: 'Rotate a key',
    description:
      'Makes a key like it, which is answered this once. The old one, and the sessions of it, work until the grace time is over. The key of the request may be rotated, and no key one that reaches further than itself.',
  })
  @ApiOkResponse({ type: ApiKeyCreated, description: 'The new key, with its text.' })
  @ApiErrors(
    {
      403: 'The key reaches further than the one of the request, or an organization has rules against it.',
      404: 'You have no key with this id.',
      409: 'It cannot be rotated, or you have as many keys as there may be.',
    },
    new KeyNotFoundError(),
    new KeyOutlivesMakerError(),
    new KeyExceedsMakerError(),
    new KeyAgainstRulesError('In Tools team, keys need scopes.'),
    new KeyNotRotatableError(),
    new TooManyKeysError(MAX_KEYS),
  )
  @ApiBody({
    type: ApiKeyRotate,
    examples: {
      'An hour to replace it everywhere': { value: { grace_seconds: 3600 } },
      'The old one is not to work any more': { value: { grace_seconds: 0 } },
    },
  })
  rotateApiKey(
    @CurrentCaller() caller: Caller,
    @Param() path: ApiKeyPath,
    @Body() body: ApiKeyRotate,
  ): Promise<ApiKeyCreated> {
    return this.rotation.rotate(caller, path.key_id, body.grace_seconds);
  }

  @Delete(':key_id')
  @Access({ org: 'effective', permission: 'manage_api_keys' })
  @RecentSignIn()
  @ApiOperation({ summary: 'Revoke a key', description: 'Requests with it are 401 from the next one on.' })
  @ApiOkResponse({ type: ApiKeyRevoked, description: 'The key is revoked.' })
  @ApiErrors({ 404: 'You have no key with this id.' }, new KeyNotFoundError())
  revokeApiKey(@CurrentCaller() caller: Caller, @Param() path: ApiKeyPath): Promise<ApiKeyRevoked> {
    return this.keys.revoke(caller, path.key_id);
  }
}
