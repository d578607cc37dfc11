import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
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
import { KeyAgainstRulesError, KeyExceedsMakerError, KeyOutlivesMakerError } from '../../api-keys';
import { OrgPath } from '../../orgs';
import { ScimTokenExpiryError, ScimTokenNotFoundError, TooManyScimTokensError } from '../record/scim.errors';
import { ScimTokenCreate, ScimTokenCreated, ScimTokenPath, ScimTokenResponse } from './scim-tokens.dto';
import { ScimTokens } from './scim-tokens.service';

@ApiTags('Directories')
@Access({ org: 'path', permission: 'manage_scim' })
@Controller('api/organizations/:org_id/scim-tokens')
export class ScimTokensController {
  constructor(private readonly tokens: ScimTokens) {}

  @Get()
  @ApiOperation({
    summary: "List the tokens of the organization's directory",
    description: 'Without their texts.',
  })
  @ApiOkResponse({ type: [ScimTokenResponse], description: 'The tokens, oldest first.' })
  listScimTokens(@Param() _path: OrgPath, @CurrentOrg() org: OrgContext): Promise<ScimTokenResponse[]> {
    return this.tokens.list(org);
  }

  @Post()
  @RecentSignIn()
  @HttpCode(201)
  @Idempotent({ hides: ['token'] })
  @ApiOperation({
    summary: "Make a token for the organization's directory",
    description:
      'With it, an identity provider tells who is in the organization, over SCIM. It is answered this once, and can do nothing else.',
  })
  @ApiCreatedResponse({ type: ScimTokenCreated, description: 'The token, with its text.' })
  @ApiErrors(
    {
      400: 'The token would never work (`scim_token_expiry_invalid`).',
      403: 'The key that the caller sends cannot do all that its user may, or ends, or the organization has rules about who makes keys.',
      409: 'The organization has as many as it may have.',
    },
    new ScimTokenExpiryError(),
    new KeyOutlivesMakerError(),
    new KeyExceedsMakerError(),
    new KeyAgainstRulesError('In Tools team, keys are made by nobody below the role admin.'),
    new TooManyScimTokensError(),
  )
  @ApiBody({ type: ScimTokenCreate, examples: { 'For a directory': { value: { name: 'Entra ID' } } } })
  createScimToken(
    @Param() _path: OrgPath,
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Body() body: ScimTokenCreate,
  ): Promise<ScimTokenCreated> {
    return this.tokens.create(caller, org, body);
  }

  @Delete(':token_id')
  @RecentSignIn()
  @ApiOperation({
    summary: "Revoke a token of the organization's directory",
    description:
      'Requests with it are refused from now on. With the last one, whom the directory has switched off can be invited again.',
  })
  @ApiOkResponse({ type: Success, description: 'It is revoked.' })
  @ApiErrors({ 404: 'The organization has no such token.' }, new ScimTokenNotFoundError())
  async revokeScimToken(
    @Param() path: ScimTokenPath,
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
  ): Promise<Success> {
    await this.tokens.revoke(caller, org, path.token_id);
    return { success: true };
  }
}
