import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AgentServerModule } from '../agent-server';
import { LegalHolds } from '../../accounts/legal-holds';
import { PersonalDataModule } from '../../accounts/personal-data';
import { SecretsModule } from '../../accounts/secrets';
import { AgentServers } from './access/agent-servers';
import { AgentServersInReach } from './access/agent-servers-in-reach';
import { SandboxCapacity } from './record/sandbox-capacity';
import { LeftoverCleanup } from './lifecycle/leftover-cleanup';
import { OrganizationSandboxes } from './lifecycle/organization-sandboxes';
import { MemberOffboarding } from './lifecycle/member-offboarding';
import { PersonalSandboxes } from './lifecycle/personal-sandboxes';
import { SandboxDrivers } from './record/sandbox-drivers';
import { ExternalOrganization } from './access/external-organization.read-model';
import { HostPresence } from './lifecycle/host-presence';
import { Hosts } from './hosts/hosts';
import { SandboxConversations } from './record/sandbox-conversations';
import { SandboxReconciler } from './lifecycle/reconciler/sandbox-reconciler';
import { SandboxKeys } from './record/sandbox-keys';
import { RelayController } from './relay/relay.controller';
import { SandboxRelay } from './relay/sandbox-relay';
import { SandboxLogs } from './api/sandbox-logs';
import { SandboxSecrets, SandboxSecretsController } from './api/sandbox-secrets.controller';
import { SandboxStore } from './record/sandbox-store';
import { LastWords } from './access/last-words';
import { SandboxReader } from './access/sandbox-reader';
import { SandboxHealthMonitor } from './lifecycle/health/sandbox-health-monitor';
import {
  SandboxLifecycle,
  SandboxPlacement,
  SandboxActivity,
} from './lifecycle/desired-state/sandbox-lifecycle';
import { SandboxesController } from './api/sandboxes.controller';
import { FormerMembers } from './lifecycle/former-members.read-model';
import { HostSandboxes } from './hosts/host-sandboxes';
import { ReconcileSteps } from './lifecycle/reconciler/reconcile-steps';
import { Sandbox } from './record/sandbox.entity';
import { KeptLogs } from './record/kept-logs/kept-logs';
import { SandboxKeptLog } from './record/kept-logs/sandbox-kept-log.entity';
import { SandboxHost } from './hosts/sandbox-host.entity';
import { SandboxInspection } from './lifecycle/health/sandbox-inspection';
import { Installation } from './record/installation/installation';
import { SandboxInstallation } from './record/installation/sandbox-installation.entity';
import { SandboxLeftover } from './record/sandbox-leftover.entity';
import { SandboxAvailability } from './lifecycle/desired-state/sandbox-availability';
import { SandboxWaker } from './lifecycle/desired-state/sandbox-waker';
import { SandboxRuntime } from './access/sandbox-runtime';
import { WatchedSandboxes } from './lifecycle/health/watched-sandboxes.read-model';
import { Sandboxes } from './api/sandboxes';
import { SandboxesService } from './api/sandboxes.service';
import { SandboxesWithoutDriver } from './lifecycle/sandboxes-without-driver';
import { SandboxMetrics } from './metrics/sandbox-metrics';
import { WaitingCalls } from './access/waiting-calls';
import { SessionKeyVerifier, SandboxProof } from './access/session-key-verifier';

/** Sandboxes: their lifecycle, and the drivers that run them. */
@Global()
@Module({
  imports: [
    AgentServerModule,
    PersonalDataModule,
    SecretsModule,
    TypeOrmModule.forFeature([Sandbox, SandboxHost, SandboxInstallation, SandboxKeptLog, SandboxLeftover]),
  ],
  controllers: [SandboxesController, RelayController, SandboxSecretsController],
  providers: [
    Installation,
    SandboxConversations,
    SandboxKeys,
    SandboxStore,
    SandboxReader,
    SandboxRuntime,
    SandboxDrivers,
    Hosts,
    SandboxCapacity,
    AgentServers,
    ExternalOrganization,
    SessionKeyVerifier,
    SandboxLifecycle,
    SandboxPlacement,
    SandboxActivity,
    SandboxReconciler,
    ReconcileSteps,
    SandboxHealthMonitor,
    SandboxInspection,
    WatchedSandboxes,
    HostPresence,
    HostSandboxes,
    MemberOffboarding,
    OrganizationSandboxes,
    FormerMembers,
    LeftoverCleanup,
    SandboxMetrics,
    Sandboxes,
    SandboxesService,
    SandboxesWithoutDriver,
    SandboxProof,
    SandboxRelay,
    SandboxLogs,
    SandboxSecrets,
    WaitingCalls,
    AgentServersInReach,
    SandboxAvailability,
    SandboxWaker,
    KeptLogs,
    LastWords,
    LegalHolds,
    PersonalSandboxes,
  ],
  exports: [
    Sandboxes,
    SandboxesWithoutDriver,
    SandboxReader,
    SandboxLifecycle,
    OrganizationSandboxes,
    SandboxConversations,
    SandboxDrivers,
    SandboxProof,
    SessionKeyVerifier,
    WaitingCalls,
    AgentServersInReach,
    SandboxWaker,
    LastWords,
  ],
})
export class SandboxesModule {}
