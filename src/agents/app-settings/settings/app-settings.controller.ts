import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  Access,
  type Caller,
  CurrentCaller,
  CurrentOrg,
  type OrgContext,
  KeptForUser,
} from '../../../kernel/auth';
import { ApiErrors, ValueOutOfRangeError } from '../../../kernel/http';
import {
  OrgAppQuery,
  OrgAppSettings,
  OrgAppSettingsUpdate,
  UserAppSettings,
  UserAppSettingsUpdate,
} from './app-settings.dto';
import { DuplicateMarketplacesError, SettingsChangedError } from './stored-settings';
import { AppSettingsService } from './app-settings.service';

const SAVE_FAILURES = {
  400: 'Two registrations have the same name (`marketplace_names_duplicate`).',
  409: 'The settings were saved by somebody else meanwhile; nothing was written.',
};

const SAVE_ERRORS = [new DuplicateMarketplacesError(['team']), new SettingsChangedError()];

@ApiTags('App settings')
@Controller('api')
export class AppSettingsController {
  constructor(private readonly settings: AppSettingsService) {}

  @Get('organizations/app')
  @Access({ org: 'effective-or-query', permission: 'manage_application_settings' })
  @ApiOperation({
    summary: "Read the organization's app settings",
    description: 'Those of the effective organization; the defaults until they are first saved.',
  })
  @ApiOkResponse({ type: OrgAppSettings, description: 'The settings.' })
  getOrgAppSettings(@Query() _query: OrgAppQuery, @CurrentOrg() org: OrgContext): Promise<OrgAppSettings> {
    return this.settings.ofOrg(org);
  }

  @Post('organizations/app')
  @HttpCode(200)
  @Access({ org: 'effective-or-query', permission: 'manage_application_settings' })
  @ApiOperation({
    summary: "Save the organization's app settings",
    description:
      'What is absent stays as it is. Marketplaces and budget need the permission edit_org_settings.',
  })
  @ApiOkResponse({ type: OrgAppSettings, description: 'The settings as they are now.' })
  @ApiErrors(SAVE_FAILURES, ...SAVE_ERRORS, new ValueOutOfRangeError())
  @ApiBody({
    type: OrgAppSettingsUpdate,
    examples: {
      'One setting': { value: { max_budget_per_task: 2.5 } },
      'The marketplaces of the organization': {
        value: {
          registered_marketplaces: [
            { name: 'team', source: 'github:acme/marketplace', ref: 'main', auto_load: true },
          ],
        },
      },
    },
  })
  saveOrgAppSettings(
    @Query() _query: OrgAppQuery,
    @CurrentOrg() org: OrgContext,
    @Body() body: OrgAppSettingsUpdate,
  ): Promise<OrgAppSettings> {
    return this.settings.saveOfOrg(org, body);
  }

  @Get('users/app')
  @Access({ scope: 'manage_application_settings' })
  @ApiOperation({
    summary: 'Read your app settings',
    description: 'Your own marketplace registrations, which all your conversations get.',
  })
  @ApiOkResponse({ type: UserAppSettings, description: 'The settings.' })
  getUserAppSettings(@CurrentCaller() caller: Caller): Promise<UserAppSettings> {
    return this.settings.ofUser(caller);
  }

  @KeptForUser()
  @Post('users/app')
  @HttpCode(200)
  @Access({ scope: 'manage_application_settings' })
  @ApiOperation({ summary: 'Save your app settings', description: 'What is absent stays as it is.' })
  @ApiOkResponse({ type: UserAppSettings, description: 'The settings as they are now.' })
  @ApiErrors(SAVE_FAILURES, ...SAVE_ERRORS)
  @ApiBody({
    type: UserAppSettingsUpdate,
    examples: {
      'Your marketplaces': {
        value: {
          registered_marketplaces: [
            { name: 'team', source: 'github:acme/marketplace', ref: 'main', auto_load: true },
          ],
        },
      },
      None: { value: { registered_marketplaces: [] } },
    },
  })
  saveUserAppSettings(
    @CurrentCaller() caller: Caller,
    @Body() body: UserAppSettingsUpdate,
  ): Promise<UserAppSettings> {
    return this.settings.saveOfUser(caller, body);
  }
}
