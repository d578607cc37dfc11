import { type DynamicModule, Module } from '@nestjs/common';
import { AgentServerModule } from '../agent-server';
import { AgentServers } from './agent-servers';
import { Capacity } from './capacity';
import { Departures } from './departures';
import { SandboxDrivers } from './drivers/sandbox-drivers';
import { ExternalOrganization } from './external-organization';
import { HostPresence } from './host-presence';
import { HOST_ID, Hosts } from './hosts';
import { SandboxLifecycle, SandboxObservers, SandboxReader, SandboxRows } from './ports';
import { SandboxConversations } from './sandbox-conversations';
import { SandboxDrive } from './sandbox-drive';
import { SandboxKeys } from './sandbox-keys';
import { SandboxSecretsController } from './sandbox-secrets.controller';
import { SandboxStore } from './sandbox-store';
import { SandboxViews } from './sandbox-views';
import { SandboxWatch } from './sandbox-watch';
import { SandboxWishes } from './sandbox-wishes';
import { SandboxesController } from './sandboxes.controller';
import { SandboxesService } from './sandboxes.service';
import { SessionKeyVerifier } from './session-key-verifier';

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
        { provide: SandboxLifecycle, useExisting: SandboxWishes },
        ...[SandboxObservers, SandboxConversations, SandboxKeys, SandboxStore, SandboxViews, SandboxWishes],
        ...[SandboxDrivers, Hosts, Capacity, AgentServers, ExternalOrganization, SessionKeyVerifier],
        ...[SandboxDrive, SandboxWatch, HostPresence, Departures, SandboxesService],
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
