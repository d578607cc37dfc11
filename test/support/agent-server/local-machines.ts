import { type DynamicModule, Inject, Injectable, Module } from '@nestjs/common';
import { SandboxDrivers } from '../../../src/sandboxes/sandboxes';
import {
  type SandboxHandle,
  type DriverCapabilities,
  type RunState,
  type SandboxDriver,
  type StartedServer,
} from '../../../src/sandboxes/driver-port';
import { AgentServerDouble } from './agent-server-double';

/** A host whose agent servers outlive the service, as processes do. */
export class MachineHost {
  /** Null for what is paused. */
  readonly machines = new Map<string, AgentServerDouble | null>();
  /** What drivers on this host were asked to do. */
  readonly calls: { readonly what: string; readonly id: string | null }[] = [];

  constructor(readonly stopsWithService: boolean) {}

  callsOf(id: string | null): string[] {
    return this.calls.filter((call) => call.id === id).map(({ what }) => what);
  }

  async stop(): Promise<void> {
    for (const machine of this.machines.values()) await machine?.stop();
  }
}

/** A driver from outside whose sandboxes live on the host of the service. */
@Injectable()
export class LocalMachinesDriver implements SandboxDriver {
  readonly name = 'local-machines';
  readonly description = 'An agent server on this host for each sandbox.';
  readonly capabilities: DriverCapabilities;
  private exited: (sandboxId: string) => void = () => undefined;

  constructor(
    drivers: SandboxDrivers,
    @Inject(MachineHost) private readonly host: MachineHost,
  ) {
    this.capabilities = {
      hostBound: true,
      sharedServer: false,
      singleOrganization: false,
      stopsWithService: host.stopsWithService,
      unresponsiveAfterMs: 60_000,
      builtInModel: null,
    };
    drivers.register(this);
  }

  prepare(): Promise<void> {
    this.host.calls.push({ what: 'prepare', id: null });
    return Promise.resolve();
  }

  onExit(listener: (sandboxId: string) => void): void {
    this.exited = listener;
  }

  /** Ends a machine on its own account, as a crash does. */
  async crash(id: string): Promise<void> {
    await this.end(id);
    this.exited(id);
  }

  async start({ id, sessionKey }: SandboxHandle): Promise<StartedServer> {
    this.host.calls.push({ what: 'start', id });
    await this.end(id);
    const machine = await AgentServerDouble.start({ apiKey: sessionKey });
    this.host.machines.set(id, machine);
    return { baseUrl: machine.url, port: Number(new URL(machine.url).port), workingDir: 'workspace/project' };
  }

  resume(sandbox: SandboxHandle): Promise<StartedServer> {
    return this.start(sandbox);
  }

  async pause({ id }: SandboxHandle): Promise<void> {
    this.host.calls.push({ what: 'pause', id });
    await this.end(id);
  }

  async stopNow({ id }: SandboxHandle): Promise<void> {
    this.host.calls.push({ what: 'stopNow', id });
    await this.end(id);
  }

  async delete({ id }: SandboxHandle): Promise<void> {
    this.host.calls.push({ what: 'delete', id });
    await this.end(id);
    this.host.machines.delete(id);
  }

  describe({ id }: SandboxHandle): Promise<RunState> {
    const machine = this.host.machines.get(id);
    return Promise.resolve(machine === undefined ? 'missing' : machine === null ? 'stopped' : 'running');
  }

  isAvailable(): Promise<boolean> {
    return Promise.resolve(true);
  }

  private async end(id: string): Promise<void> {
    await this.host.machines.get(id)?.stop();
    this.host.machines.set(id, null);
  }
}

@Module({})
export class LocalMachinesModule {
  static on(host: MachineHost): DynamicModule {
    return {
      module: LocalMachinesModule,
      providers: [{ provide: MachineHost, useValue: host }, LocalMachinesDriver],
    };
  }
}
