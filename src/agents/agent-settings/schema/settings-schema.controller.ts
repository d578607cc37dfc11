import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../kernel/auth';
import { SettingsSchema } from './settings-schema.dto';
import { AGENT_SCHEMA, CONVERSATION_SCHEMA } from './settings-schemas';

@ApiTags('Agent settings')
@Access({ scope: 'any' })
@Controller('api/v1/settings')
export class SettingsSchemaController {
  @Get('agent-schema')
  @ApiOperation({
    summary: 'What can be set of agents',
    description: 'A form of what `agent_settings_diff` takes.',
  })
  @ApiOkResponse({ type: SettingsSchema, description: 'The form.' })
  getAgentSettingsSchema(): SettingsSchema {
    return AGENT_SCHEMA;
  }

  @Get('conversation-schema')
  @ApiOperation({
    summary: 'What can be set of conversations',
    description: 'A form of what `conversation_settings_diff` takes.',
  })
  @ApiOkResponse({ type: SettingsSchema, description: 'The form.' })
  getConversationSettingsSchema(): SettingsSchema {
    return CONVERSATION_SCHEMA;
  }
}
