import { Injectable, Module } from '@nestjs/common';
import { SandboxDrivers } from '../../../src/sandboxes/sandboxes';
import {
  type DriverCapabilities,
  type RunState,
  type SandboxDriver,
  type SandboxHandle,
  type StartedServer,
} from '../../../src/sandboxes/driver-port';
import { AgentServerDouble } from './agent-server-double';

/** A driver of an extension: each sandbox is an agent server in this process. */
@Injectable()
export class MachinesDriver implements SandboxDriver {
  readonly name = 'machines';
  readonly description = 'An agent server in memory for each sandbox.';
  readonly capabilities: DriverCapabilities = {
    hostBound: false,
    sharedServer: false,
    singleOrganization: false,
    stopsWithService: false,
    unresponsiveAfterMs: 1_000,
    builtInModel: null,
  };
  /** Null for what is paused. */
  readonly machines = new Map<string, AgentServerDouble | null>();
  isThere = true;

  constructor(drivers: SandboxDrivers) {
    drivers.register(this);
  }

  async start({ id, sessionKey }: SandboxHandle): Promise<StartedServer> {
    await this.machines.get(id)?.stop();
    const machine = await AgentServerDouble.start({ apiKey: sessionKey });
    this.machines.set(id, machine);
    return { baseUrl: machine.url, port: Number(new URL(machine.url).port), workingDir: 'workspace/project' };
  }

  resume(sandbox: SandboxHandle): Promise<StartedServer> {
    return this.start(sandbox);
  }

  async pause({ id }: SandboxHandle): Promise<void> {
    await this.machines.get(id)?.stop();
    this.machines.set(id, null);
  }

  async delete(sandbox: SandboxHandle): Promise<void> {
    await this.pause(sandbox);
    this.machines.delete(sandbox.id);
  }

  describe({ id }: SandboxHandle): Promise<RunState> {
    const machine = this.machines.get(id);
    return Promise.resolve(machine === undefined ? 'missing' : machine === null ? 'stopped' : 'running');
  }

  isAvailable(): Promise<boolean> {
    return Promise.resolve(this.isThere);
  }
}

@Module({ providers: [MachinesDriver] })
export class MachinesModule {}
