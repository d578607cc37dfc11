import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  Access,
  type Caller,
  CurrentCaller,
  CurrentOrg,
  type OrgContext,
  RecentSignIn,
  KeptForUser,
} from '../../../kernel/auth';
import { ApiErrors } from '../../../kernel/http';
import { PlainErrors } from '../../../kernel/validation';
import { McpConfigInvalidError } from '../mcp/mcp-config';
import { changesCredentials } from './settings-update';
import { UserSettings } from './user-settings.dto';
import { UserSettingsUpdate } from './user-settings-update.dto';
import { UserSettingsService } from './user-settings.service';

@ApiTags('Agent settings')
@Access({ org: 'effective', scope: 'manage_application_settings' })
@KeptForUser()
@Controller('api/v1/settings')
export class UserSettingsController {
  constructor(private readonly settings: UserSettingsService) {}

  @Get()
  @ApiOperation({
    summary: 'Read your settings',
    description:
      'What your next conversation in this organization starts with: your own settings, behind them the defaults. Keys are never answered.',
  })
  @ApiOkResponse({ type: UserSettings, description: 'The settings.' })
  getSettings(@CurrentCaller() caller: Caller, @CurrentOrg() org: OrgContext): Promise<UserSettings> {
    return this.settings.of(caller, org);
  }

  @Post()
  @RecentSignIn((body) => body instanceof UserSettingsUpdate && changesCredentials(body))
  @PlainErrors()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Save your settings',
    description:
      'What is absent stays as it is, null takes a value away. Of a value in a diff and beside it, the one in the diff counts. Saved with a bound key they hold in its organization only.',
  })
  @ApiOkResponse({ type: UserSettings, description: 'The settings as they are now.' })
  @ApiErrors(
    { 400: 'The MCP servers would not be as they have to be.' },
    new McpConfigInvalidError('the MCP server tickets needs a url'),
  )
  @ApiBody({
    type: UserSettingsUpdate,
    examples: {
      'A model with its key': {
        value: { agent_settings_diff: { llm: { model: 'openai/gpt-5', api_key: 'sk-example' } } },
      },
      'Actions wait for a confirmation': {
        value: { conversation_settings_diff: { confirmation_mode: true } },
      },
      'A server with tools': {
        value: {
          agent_settings_diff: {
            mcp_config: {
              tickets: { url: 'https://mcp.example.com/mcp', headers: { Authorization: 'Bearer example' } },
            },
          },
        },
      },
      'The author of commits': {
        value: { git_user_name: 'Robin', git_user_email: 'member@example.com' },
      },
    },
  })
  saveSettings(
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Body() body: UserSettingsUpdate,
  ): Promise<UserSettings> {
    return this.settings.save(caller, org, body);
  }
}
