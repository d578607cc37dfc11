import { type DynamicModule, Module } from '@nestjs/common';
import { TAGS } from './api-tags';
import { AuditLogModule } from './accounts/audit-log';
import { AgentSettingsModule } from './agents/agent-settings';
import { ApiKeysModule, BrowserSessionVerifier, KeyVerifier, KnownKeys } from './accounts/api-keys';
import { AuditModule, KnownCredentials } from './kernel/audit';
import {
  AuthModule,
  CredentialVerifier,
  DirectoryCredentialVerifier,
  MembershipReader,
  SandboxCredentialVerifier,
  SessionVerifier,
  TicketRedeemer,
} from './kernel/auth';
import { AppSettingsModule } from './agents/app-settings';
import { AutomationsModule } from './appliance/automations';
import { BudgetsModule } from './agents/budgets';
import { ConfigModule, publicPath, type Settings } from './kernel/config';
import {
  ConversationQueue,
  ConversationQueueModule,
  ConversationsModule,
} from './conversations/conversations';
import { CONSOLE_PATH, ConsoleModule } from './appliance/console';
import { DatabaseModule } from './kernel/database';
import { DomainEventsModule } from './kernel/domain-events';
import { EventStreamsModule, StreamTickets, StreamTicketsModule } from './outbound/event-streams';
import { DeviceLoginModule } from './accounts/device-login';
import { DriversModule } from './drivers';
import { embeddedAgentServerCommand } from './appliance/embedded-agent-server';
import { EventsModule } from './conversations/events';
import type { Extensions } from './operations/extensions';
import { GitCredentialsModule } from './agents/git-credentials';
import { GitSearchModule } from './agents/git-search';
import { HealthModule } from './kernel/health';
import { HttpModule, LogDestination, ServiceLog } from './kernel/http';
import { IdempotencyModule } from './kernel/idempotency';
import { IdentityProvidersModule } from './accounts/identity-providers';
import { InvitationsModule } from './accounts/invitations';
import { JobsModule } from './kernel/jobs';
import { LegalHoldsModule } from './accounts/legal-holds';
import { MembershipService, OrgsModule } from './accounts/orgs';
import { ModelGatewayModule } from './outbound/model-gateway';
import { ModelPolicyModule } from './agents/model-policy';
import { OrganizationEndsModule } from './conversations/organization-ends';
import { PendingMessagesModule, PendingQueueModule, QueueStore } from './conversations/pending-messages';
import { PersonsModule } from './accounts/persons';
import { ProviderTokensModule } from './accounts/provider-tokens';
import { RetentionModule } from './operations/retention';
import { RequestLimitsModule } from './kernel/request-limits';
import { ScimModule, ScimTokenVerifier } from './accounts/scim';
import { SandboxAccessModule } from './sandboxes/sandbox-access';
import { SecretsModule } from './accounts/secrets';
import { ServiceAccountsModule } from './accounts/service-accounts';
import { SandboxesModule, SandboxHostModule, SessionKeyVerifier } from './sandboxes/sandboxes';
import { SkillsModule } from './agents/skills';
import { SignInModule } from './accounts/sign-in';
import { type InstalledInterface, WebInterfaceModule } from './appliance/web-interface';
import { WebhooksModule } from './outbound/webhooks';

/** The input for composing the application. */
export interface Installation {
  readonly settings: Settings;
  /** URL of the database, already migrated. */
  readonly databaseUrl: string;
  /** For the OpenAPI document, which needs no database: the application is composed but never serves. */
  readonly unconnected?: true;
  /** Encrypts secrets at rest. */
  readonly secretKey: string;
  /** Who this host is among those that run sandboxes (docs/decisions/0016-hosts-own-sandboxes.md). */
  readonly hostId: string;
  /** The web interface to serve; absent for none. */
  readonly webInterface?: InstalledInterface;
  /** Where the built console is; absent for none. */
  readonly consoleFolder?: string;
  /** Where the application logs; standard output, as JSON lines, where it is left out. */
  readonly logDestination?: LogDestination;
  /** The extensions: see docs/extending.md. */
  readonly extensions: Extensions;
}

/** The composition root: the only place that binds ports to adapters. */
@Module({})
export class AppModule {
  static forRoot({
    settings,
    databaseUrl,
    unconnected,
    secretKey,
    hostId,
    webInterface,
    consoleFolder,
    logDestination = new LogDestination(),
    extensions,
  }: Installation): DynamicModule {
    return {
      module: AppModule,
      imports: [
        // The settings first: `/organizations/app` is not an organization's id.
        AppSettingsModule,
        ConfigModule.forRoot(withSandboxAccess(settings, webInterface), secretKey, extensions.settings),
        DatabaseModule.forRoot(databaseUrl, {
          directUrl: settings.DATABASE_DIRECT_URL,
          entities: extensions.entities,
          unconnected,
        }),
        AuthModule.forRoot(
          {
            imports: [ApiKeysModule, OrgsModule, ScimModule, StreamTicketsModule],
            providers: [
              { provide: CredentialVerifier, useExisting: KeyVerifier },
              { provide: SessionVerifier, useExisting: BrowserSessionVerifier },
              { provide: TicketRedeemer, useExisting: StreamTickets },
              { provide: MembershipReader, useExisting: MembershipService },
              { provide: DirectoryCredentialVerifier, useExisting: ScimTokenVerifier },
              { provide: SandboxCredentialVerifier, useExisting: SessionKeyVerifier },
            ],
          },
          extensions.permissions,
        ),
        RequestLimitsModule,
        HttpModule.forRoot(
          TAGS,
          new ServiceLog(settings.LOG_LEVEL, logDestination),
          consoleFolder === undefined ? null : publicPath(settings) + CONSOLE_PATH,
        ),
        settings.AUDIT_LOG === 'on'
          ? AuditModule.forRoot({
              imports: [ApiKeysModule, OrgsModule],
              providers: [
                { provide: KnownCredentials, useExisting: KnownKeys },
                { provide: MembershipReader, useExisting: MembershipService },
              ],
            })
          : AuditModule.off(),
        IdempotencyModule,
        JobsModule,
        DomainEventsModule.forRoot(extensions.events),
        HealthModule.forRoot(extensions.healthChecks, extensions.origins),
        AgentSettingsModule,
        ApiKeysModule,
        OrgsModule,
        IdentityProvidersModule,
        ServiceAccountsModule,
        SignInModule.forRoot(settings),
        DeviceLoginModule.forRoot(settings),
        InvitationsModule,
        ProviderTokensModule,
        ScimModule,
        ...(settings.AUDIT_LOG === 'on' ? [AuditLogModule] : []),
        LegalHoldsModule,
        PersonsModule,
        SecretsModule,
        SandboxHostModule.forRoot(hostId),
        SandboxesModule,
        DriversModule.forRoot(embeddedAgentServerCommand()),
        SandboxAccessModule,
        GitCredentialsModule,
        SkillsModule,
        GitSearchModule,
        ModelPolicyModule,
        BudgetsModule,
        ConversationQueueModule.forRoot({
          imports: [PendingQueueModule],
          providers: [{ provide: ConversationQueue, useExisting: QueueStore }],
        }),
        ConversationsModule,
        EventsModule,
        EventStreamsModule,
        PendingMessagesModule,
        OrganizationEndsModule,
        WebhooksModule,
        ...(settings.MODEL_GATEWAY === 'on' ? [ModelGatewayModule] : []),
        RetentionModule,
        ...(settings.AUTOMATION_URL === undefined ? [] : [AutomationsModule]),
        ...(consoleFolder === undefined
          ? []
          : [ConsoleModule.forRoot(settings, consoleFolder, extensions.consolePages)]),
        WebInterfaceModule.forRoot(settings, webInterface),
        ...extensions.modules,
      ],
    };
  }
}

/**
 * Browsers send cookies to every port of a host name: where people sign in, the addresses that their browsers use, those of
 * conversations, lead through the service, which keeps the cookie to itself (docs/web-interface.md#when-a-cookie-counts).
 */
function withSandboxAccess(settings: Settings, webInterface: InstalledInterface | undefined): Settings {
  // At its own address an agent server takes any model from whoever has its key.
  const closed = settings.MODEL_GATEWAY === 'on' ? 'door' : null;
  const open = webInterface === undefined ? 'direct' : 'mixed';
  return { ...settings, SANDBOX_ACCESS: settings.SANDBOX_ACCESS ?? closed ?? open };
}
