import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PersonalDataModule } from '../../accounts/personal-data';
import { AgentServerModule } from '../../sandboxes/agent-server';
import { GatewayAccessModule } from '../gateway-access';
import { GitCredentialsModule } from '../git-credentials';
import { ModelPolicyModule } from '../model-policy';
import { AgentProfileRow } from './agent-profiles/agent-profile.entity';
import { AgentProfilesRepository, AgentProfilesService } from './agent-profiles/agent-profiles.service';
import {
  OrgAgentProfilesController,
  UserAgentProfilesController,
} from './agent-profiles/agent-profiles.controller';
import { CurrentUserController } from './current-user/current-user.controller';
import { CurrentUserService } from './current-user/current-user.service';
import { LlmProfileRow } from './llm-profiles/llm-profile.entity';
import { LlmProfilesRepository } from './llm-profiles/llm-profiles.repository';
import { LlmProfilesService } from './llm-profiles/llm-profiles.service';
import { OrgLlmProfilesController, UserLlmProfilesController } from './llm-profiles/llm-profiles.controller';
import { ModelCatalogues } from './models/model-catalogues';
import { ModelsController } from './models/models.controller';
import { ModelsService } from './models/models.service';
import { ProviderConnectionRow } from './provider-connections/provider-connection.entity';
import { ProviderConnectionsController } from './provider-connections/provider-connections.controller';
import {
  ProviderConnectionsRepository,
  ProviderConnectionsService,
} from './provider-connections/provider-connections.service';
import { AgentSettingsRow } from './record/agent-settings.entity';
import { AgentSettingsRepository } from './record/agent-settings.repository';
import { PersonalSettings } from './personal/personal-settings';
import { SettingsSchemaController } from './schema/settings-schema.controller';
import { HeldSettings } from './settings/held-settings';
import { UserSettingsController } from './settings/user-settings.controller';
import { UserSettingsService } from './settings/user-settings.service';
import { ConversationAgents } from './start/conversation-agents';
import { ConversationModels } from './start/conversation-models';
import { ModelReach } from './start/model-reach';
import { PersonalModels } from './start/personal-models';

const ENTITIES = [AgentProfileRow, AgentSettingsRow, LlmProfileRow, ProviderConnectionRow];

/** What users and organizations set about the agents of their conversations. */
@Module({
  imports: [
    AgentServerModule,
    TypeOrmModule.forFeature(ENTITIES),
    GatewayAccessModule,
    GitCredentialsModule,
    ModelPolicyModule,
    PersonalDataModule,
  ],
  controllers: [
    UserSettingsController,
    SettingsSchemaController,
    UserLlmProfilesController,
    OrgLlmProfilesController,
    UserAgentProfilesController,
    OrgAgentProfilesController,
    ProviderConnectionsController,
    ModelsController,
    CurrentUserController,
  ],
  providers: [
    AgentProfilesRepository,
    AgentProfilesService,
    AgentSettingsRepository,
    ConversationAgents,
    ConversationModels,
    CurrentUserService,
    HeldSettings,
    LlmProfilesRepository,
    LlmProfilesService,
    ModelCatalogues,
    ModelReach,
    ModelsService,
    PersonalModels,
    PersonalSettings,
    ProviderConnectionsRepository,
    ProviderConnectionsService,
    UserSettingsService,
  ],
  exports: [ConversationAgents, ConversationModels, ModelReach, PersonalModels],
})
export class AgentSettingsModule {}
