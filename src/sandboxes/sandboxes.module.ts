import { type DynamicModule, Module } from '@nestjs/common';
import { AgentServerModule } from '../agent-server';
import { AgentServers } from './access/agent-servers';
import { SandboxCapacity } from './record/sandbox-capacity';
import { LeftoverCleanup } from './lifecycle/leftover-cleanup';
import { MemberOffboarding } from './lifecycle/member-offboarding';
import { SandboxDrivers } from './drivers/sandbox-drivers';
import { ExternalOrganization } from './access/external-organization';
import { HostPresence } from './lifecycle/host-presence';
import { HOST_ID, Hosts } from './hosts/hosts';
import { SandboxLifecycle, SandboxObservers, SandboxReader, SandboxRows } from './record/sandbox.ports';
import { SandboxConversations } from './record/sandbox-conversations';
import { SandboxReconciler } from './lifecycle/sandbox-reconciler';
import { SandboxKeys } from './record/sandbox-keys';
import { SandboxSecretsController } from './api/sandbox-secrets.controller';
import { SandboxStore } from './record/sandbox-store';
import { SandboxViews } from './access/sandbox-views';
import { SandboxHealthMonitor } from './lifecycle/sandbox-health-monitor';
import { SandboxDesiredState } from './lifecycle/sandbox-desired-state';
import { SandboxesController } from './api/sandboxes.controller';
import { SandboxesService } from './api/sandboxes.service';
import { SessionKeyVerifier } from './access/session-key-verifier';

/** Sandboxes: their lifecycle, and the drivers that run them. */
@Module({})
export class SandboxesModule {
  /** @param hostId who this host is among those that run sandboxes */
  static forRoot(hostId: string): DynamicModule {
    return {
      module: SandboxesModule,
      global: true,
      imports: [AgentServerModule],
      controllers: [SandboxesController, SandboxSecretsController],
      providers: [
        { provide: HOST_ID, useValue: hostId },
        { provide: SandboxReader, useExisting: SandboxViews },
        { provide: SandboxRows, useExisting: SandboxViews },
        { provide: SandboxLifecycle, useExisting: SandboxDesiredState },
        ...[
          SandboxObservers,
          SandboxConversations,
          SandboxKeys,
          SandboxStore,
          SandboxViews,
          SandboxDesiredState,
        ],
        ...[SandboxDrivers, Hosts, SandboxCapacity, AgentServers, ExternalOrganization, SessionKeyVerifier],
        ...[SandboxReconciler, SandboxHealthMonitor, HostPresence, SandboxesService],
        ...[MemberOffboarding, LeftoverCleanup],
      ],
      exports: [
        SandboxReader,
        SandboxRows,
        SandboxLifecycle,
        SandboxObservers,
        SandboxConversations,
        SandboxDrivers,
        SessionKeyVerifier,
      ],
    };
  }
}
