import { Global, type MiddlewareConsumer, Module, type NestModule, RequestMethod } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AgentServerModule } from '../../sandboxes/agent-server';
import { AgentSettingsModule } from '../../agents/agent-settings';
import { BudgetsModule } from '../../agents/budgets';
import { AppSettingsModule } from '../../agents/app-settings';
import { GitCredentialsModule } from '../../agents/git-credentials';
import { LegalHolds } from '../../accounts/legal-holds';
import { PersonalDataModule } from '../../accounts/personal-data';
import { SecretsModule } from '../../accounts/secrets';
import { SkillsModule } from '../../agents/skills';
import { AppConversationsController } from './app-conversations/app-conversations.controller';
import { AwaitedDeletions } from './app-conversations/awaited-deletions';
import { AppConversationsService } from './app-conversations/app-conversations.service';
import { RecordResponses } from './app-conversations/record-responses';
import { Conversations } from './conversations';
import { ConversationKeyScope } from './access/conversation-key-scope';
import { ConversationAccess } from './access/conversation-access';
import { ConversationServers } from './access/conversation-servers';
import { ConversationDeletion } from './app-conversations/conversation-deletion';
import { ExpiredConversations } from './expiry/expired-conversations';
import { CounterMaintenance } from './org-list/counters/counter-maintenance';
import { OrgConversationsController } from './org-list/org-conversations.controller';
import { OrgExportService } from './org-list/export/org-export.service';
import { OrgListDatabase } from './org-list/database/org-list-database';
import { OrgListResponses } from './org-list/list/org-list-responses';
import { OrgListService } from './org-list/list/org-list.service';
import { OrgStatsService } from './org-list/stats/org-stats.service';
import { OrgUsageController } from './org-list/org-usage.controller';
import { OwnUsageController } from './org-list/own-usage.controller';
import { OverviewService } from './org-list/overview/overview.service';
import { UsageMaintenance } from './org-list/usage/usage-maintenance';
import { UsageReportsService } from './org-list/usage-reports/usage-reports.service';
import { UsageService } from './org-list/usage/usage.service';
import { ConversationsOfSandbox } from './access/conversations-of-sandbox';
import { ConversationActivity } from './reports/conversation-activity';
import { ConversationReports } from './reports/conversation-reports';
import { AgentMessagesModule } from './agent-messages/agent-messages.module';
import { SendMessageController } from './send-message/send-message.controller';
import { SendMessageService, SendTargets, WakingSends } from './send-message/send-message.service';
import { BudgetInterrupts } from './budget-limits/budget-interrupts';
import { InterruptController } from './interrupt/interrupt.controller';
import { InterruptService } from './interrupt/interrupt.service';
import { RunningAgents } from './interrupt/running-agents';
import { StopController } from './stop/stop.controller';
import { StopService } from './stop/stop.service';
import { OverdueStarts } from './start/job/overdue-starts';
import { SkillSetup } from './start/agent/skill-setup';
import { StartConversationController } from './start/request/start-conversation.controller';
import { StartConversationService } from './start/request/start-conversation.service';
import { StartJob, StartSandbox } from './start/job/start-job';
import { StartTaskRepository } from './start-tasks/start-task.repository';
import { StartCall } from './start/job/start-call';
import { StartOnSandboxChange } from './start/job/start-on-sandbox-change';
import { SandboxRelease } from './removal/sandbox-release';
import { OldStartTasks } from './start-tasks/old-start-tasks';
import { StartOutcome } from './start/job/start-outcome';
import { StartStages, AgentConversation } from './start/job/start-stages';
import { StartPreconditions } from './start/request/start-preconditions';
import { StartRecords } from './start/request/start-records';
import { StartSecrets } from './start/tasks/start-secrets';
import { Conversation } from './record/conversation.entity';
import { ConversationRepository } from './record/conversation.repository';
import { StartTask } from './start-tasks/start-task.entity';
import { AwaitedDeletion } from './removal/awaited-deletion.entity';
import { PersonalConversations } from './personal/personal-conversations';
import { ConversationRemoval } from './removal/conversation-removal.entity';
import {
  ConversationRemovals,
  ConversationRemovalsRepository,
  IdleRemovals,
} from './removal/conversation-removals';
import { RemovalWorker } from './removal/removal-worker';
import { RemovalsOnSandboxChange } from './removal/removals-on-sandbox-change';
import { StartTaskStream } from './start/tasks/start-task-stream';
import { StartTasksService } from './start/tasks/start-tasks.service';
import { TitleForwarding } from './app-conversations/title-forwarding';
import { ConversationViews } from './views/conversation-views';
import { ConversationViewsController } from './views/conversation-views.controller';
import { CloneLogins, CLONE_PATH } from './start/workspace/clone-logins';
import { CloneTickets } from './start/workspace/clone-tickets';
import { CloneMiddleware } from './start/workspace/clone.middleware';
import { FetchedWorkspace } from './start/workspace/fetched-workspace';
import { Workspace } from './start/workspace/workspace';

/** Conversations: their records, their start, and messages to them. */
@Global()
@Module({
  imports: [
    TypeOrmModule.forFeature([AwaitedDeletion, Conversation, ConversationRemoval, StartTask]),
    AgentMessagesModule,
    AgentServerModule,
    AgentSettingsModule,
    AppSettingsModule,
    BudgetsModule,
    GitCredentialsModule,
    PersonalDataModule,
    SecretsModule,
    SkillsModule,
  ],
  controllers: [
    StartConversationController,
    AppConversationsController,
    SendMessageController,
    InterruptController,
    StopController,
    ConversationViewsController,
    OrgConversationsController,
    OrgUsageController,
    OwnUsageController,
  ],
  providers: [
    Conversations,
    ConversationActivity,
    ConversationReports,
    AppConversationsService,
    AwaitedDeletions,
    BudgetInterrupts,
    RecordResponses,
    ConversationAccess,
    ConversationKeyScope,
    ConversationServers,
    ConversationViews,
    ConversationDeletion,
    CounterMaintenance,
    ExpiredConversations,
    OrgExportService,
    OrgListDatabase,
    OrgListResponses,
    OrgListService,
    OrgStatsService,
    OverviewService,
    UsageMaintenance,
    UsageReportsService,
    UsageService,
    ConversationsOfSandbox,
    OverdueStarts,
    SendMessageService,
    SendTargets,
    WakingSends,
    InterruptService,
    LegalHolds,
    PersonalConversations,
    RunningAgents,
    StopService,
    SkillSetup,
    StartCall,
    StartConversationService,
    StartJob,
    AgentConversation,
    ConversationRemovals,
    ConversationRemovalsRepository,
    IdleRemovals,
    RemovalWorker,
    RemovalsOnSandboxChange,
    ConversationRepository,
    StartOnSandboxChange,
    StartOutcome,
    OldStartTasks,
    SandboxRelease,
    StartPreconditions,
    StartRecords,
    StartSandbox,
    StartSecrets,
    StartStages,
    StartTaskRepository,
    StartTaskStream,
    StartTasksService,
    TitleForwarding,
    CloneLogins,
    CloneTickets,
    FetchedWorkspace,
    Workspace,
  ],
  exports: [
    ConversationAccess,
    ConversationReports,
    Conversations,
    ConversationServers,
    ExpiredConversations,
    PersonalConversations,
    RecordResponses,
  ],
})
export class ConversationsModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(CloneMiddleware).forRoutes({ path: `${CLONE_PATH}/{*path}`, method: RequestMethod.ALL });
  }
}
