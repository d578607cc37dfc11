import { type DynamicModule, Module, type ModuleMetadata } from '@nestjs/common';
import { AgentServerModule } from '../agent-server';
import { OrgsModule } from '../orgs';
import { AppConversationsController } from './app-conversations.controller';
import { AppConversationsService } from './app-conversations.service';
import { ConversationKeyScope } from './conversation-key-scope';
import { ConversationAccess } from './conversation-access';
import { ConversationRemoval } from './conversation-removal';
import { CountKeeping } from './org-list/count-keeping';
import { OrgConversationsController } from './org-list/org-conversations.controller';
import { OrgExportService } from './org-list/org-export.service';
import { OrgListDatabase } from './org-list/org-list-database';
import { OrgListService } from './org-list/org-list.service';
import { OrgStatsService } from './org-list/org-stats.service';
import { ConversationsOfSandbox } from './conversations-of-sandbox';
import { SendMessageController } from './send-message.controller';
import { SendMessageService } from './send-message.service';
import { SendTargets } from './send-targets';
import { OverdueStarts } from './start/overdue-starts';
import { SkillSetup } from './start/skill-setup';
import { StartConversationController } from './start/start-conversation.controller';
import { StartConversationService } from './start/start-conversation.service';
import { StartJob } from './start/start-job';
import { StartTaskStore } from './start/start-task-store';
import { StartTaskStream } from './start/start-task-stream';
import { StartTasksService } from './start/start-tasks.service';
import { TitleForwarding } from './title-forwarding';
import { Workspace } from './start/workspace';

/** Conversations: their records, their start, and messages to them. */
@Module({})
export class ConversationsModule {
  /** @param adapters modules that export what stands behind `ConversationQueue`, and the provider that binds it */
  static forRoot(adapters: Required<Pick<ModuleMetadata, 'imports' | 'providers'>>): DynamicModule {
    return {
      module: ConversationsModule,
      global: true,
      imports: [AgentServerModule, OrgsModule, ...adapters.imports],
      controllers: [
        StartConversationController,
        AppConversationsController,
        SendMessageController,
        OrgConversationsController,
      ],
      providers: [
        ...adapters.providers,
        AppConversationsService,
        ConversationAccess,
        ConversationKeyScope,
        ConversationRemoval,
        CountKeeping,
        OrgExportService,
        OrgListDatabase,
        OrgListService,
        OrgStatsService,
        ConversationsOfSandbox,
        OverdueStarts,
        SendMessageService,
        SendTargets,
        SkillSetup,
        StartConversationService,
        StartJob,
        StartTaskStore,
        StartTaskStream,
        StartTasksService,
        TitleForwarding,
        Workspace,
      ],
      exports: [ConversationAccess, ...adapters.providers],
    };
  }
}
