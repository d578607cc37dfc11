import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import {
  agentServerEnvironment,
  type DriverCapabilities,
  embeddedAgentServerCommand,
  type RunState,
  type SandboxDriver,
  SandboxDrivers,
  type SandboxHandle,
  SETTINGS,
  type Settings,
  type StartedServer,
} from 'org-conversation-service';

/** As `SANDBOX_DRIVER` has it. */
export const MACHINES = 'acme-machines';

/** A process with a folder for each sandbox: the smallest driver there can be. It isolates nothing. */
@Injectable()
export class MachinesDriver implements SandboxDriver {
  readonly name = MACHINES;
  readonly description = 'A process with a folder of its own.';
  readonly capabilities: DriverCapabilities = {
    hostBound: true,
    sharedServer: false,
    singleOrganization: false,
    stopsWithService: true,
    unresponsiveAfterMs: 10_000,
    builtInModel: 'echo',
  };
  private readonly running = new Map<string, ChildProcess>();

  constructor(
    drivers: SandboxDrivers,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    drivers.register(this);
  }

  async start(sandbox: SandboxHandle): Promise<StartedServer> {
    await this.pause(sandbox);
    const home = this.home(sandbox.id);
    await mkdir(join(home, 'workspace', 'project'), { recursive: true });
    const port = await freePort();
    const { command, args } = embeddedAgentServerCommand();
    const child = spawn(command, [...args, '--host', '127.0.0.1', '--port', `${port}`], {
      cwd: home,
      env: agentServerEnvironment(this.settings, sandbox.sessionKey, { home, port }),
      stdio: 'ignore',
    });
    child.once('exit', () => this.running.delete(sandbox.id));
    this.running.set(sandbox.id, child);
    return { baseUrl: `http://127.0.0.1:${port}`, port, workingDir: 'workspace/project' };
  }

  resume(sandbox: SandboxHandle): Promise<StartedServer> {
    return this.start(sandbox);
  }

  async pause({ id }: SandboxHandle): Promise<void> {
    const child = this.running.get(id);
    if (child === undefined) return;
    const ended = new Promise((done) => child.once('exit', done));
    child.kill('SIGKILL');
    await ended;
  }

  stopNow(sandbox: SandboxHandle): Promise<void> {
    return this.pause(sandbox);
  }

  async delete(sandbox: SandboxHandle): Promise<void> {
    await this.pause(sandbox);
    await rm(this.home(sandbox.id), { recursive: true, force: true });
  }

  describe({ id }: SandboxHandle): Promise<RunState> {
    return Promise.resolve(this.running.has(id) ? 'running' : 'stopped');
  }

  isAvailable(): Promise<boolean> {
    return Promise.resolve(true);
  }

  private home(id: string): string {
    return resolve(this.settings.DATA_DIR, MACHINES, id);
  }
}

function freePort(): Promise<number> {
  return new Promise((found, failed) => {
    const probe = createServer();
    probe.once('error', failed);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      const port = address !== null && typeof address === 'object' ? address.port : 0;
      probe.close(() => found(port));
    });
  });
}
