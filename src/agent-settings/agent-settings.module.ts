import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AgentSettingsRow } from './record/agent-settings.entity';
import { AgentSettingsRepository } from './record/agent-settings.repository';
import { SettingsSchemaController } from './schema/settings-schema.controller';
import { UserSettingsController } from './settings/user-settings.controller';
import { UserSettingsService } from './settings/user-settings.service';
import { ConversationAgents } from './start/conversation-agents';

/** What the agents of conversations run on, as users and organizations set it. */
@Module({
  imports: [TypeOrmModule.forFeature([AgentSettingsRow])],
  controllers: [UserSettingsController, SettingsSchemaController],
  providers: [AgentSettingsRepository, ConversationAgents, UserSettingsService],
  exports: [ConversationAgents],
})
export class AgentSettingsModule {}
