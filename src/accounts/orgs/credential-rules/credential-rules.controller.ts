import { Body, Controller, Get, Param, Put } from '@nestjs/common';
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
import { OrgPath } from '../organizations/organizations.dto';
import { RulesRefuseOwnKeyError } from '../organizations/orgs.errors';
import { CredentialRulesResponse, CredentialRulesUpdate } from './credential-rules.dto';
import { OrgCredentialRulesService } from './credential-rules.service';

@ApiTags('Organizations')
@Controller('api/organizations/:org_id/credential-rules')
export class CredentialRulesController {
  constructor(private readonly rules: OrgCredentialRulesService) {}

  @Get()
  @Access({ org: 'path', permission: 'view_org_settings' })
  @ApiOperation({
    summary: 'Read the rules for keys',
    description: 'What the organization asks of the keys that are used in it, and of whom makes them.',
  })
  @ApiOkResponse({ type: CredentialRulesResponse, description: 'The rules.' })
  getCredentialRules(
    @Param() _path: OrgPath,
    @CurrentOrg() org: OrgContext,
  ): Promise<CredentialRulesResponse> {
    return this.rules.get(org.orgId);
  }

  @Put()
  @Access({ org: 'path', permission: 'edit_org_settings' })
  @RecentSignIn()
  @ApiOperation({
    summary: 'Set the rules for keys',
    description:
      'Replaces all of them. Keys that do not meet them stop working in the organization, those that were made before, too; sessions that began by mail or by a link go on.',
  })
  @ApiOkResponse({ type: CredentialRulesResponse, description: 'The rules as they are now.' })
  @ApiErrors({ 409: 'The key of this request does not meet them.' }, new RulesRefuseOwnKeyError())
  @ApiBody({
    type: CredentialRulesUpdate,
    examples: {
      'Keys of admins and owners, for 90 days': {
        value: { longest_key_days: 90, expiry_required: true, key_makers: 'admin', force: true },
      },
      'No rules': { value: {} },
    },
  })
  setCredentialRules(
    @Param() _path: OrgPath,
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Body() body: CredentialRulesUpdate,
  ): Promise<CredentialRulesResponse> {
    return this.rules.set(caller, org, body);
  }
}
