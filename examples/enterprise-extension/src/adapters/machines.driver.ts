import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import type { DriverCapabilities, RunState, SandboxDriver, SandboxHandle } from 'org-conversation-service';
import {
  agentServerEnvironment,
  embeddedAgentServerCommand,
  modelEnvironment,
} from 'org-conversation-service';
import { SandboxDrivers, SETTINGS, type Settings, type StartedServer } from 'org-conversation-service';
import { endProcessesIn, serverIn } from './machine-processes';

/** As `SANDBOX_DRIVER` has it. */
export const MACHINES = 'acme-machines';

/** The folder of a sandbox. */
export function homeOf(dataDir: string, sandboxId: string): string {
  return resolve(dataDir, MACHINES, sandboxId);
}

/**
 * A process with a folder for each sandbox: the smallest driver there can be. It remembers nothing, so that a service that
 * was killed finds its sandboxes again; and it isolates nothing.
 */
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

  constructor(
    drivers: SandboxDrivers,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    drivers.register(this);
  }

  async start(sandbox: SandboxHandle): Promise<StartedServer> {
    await this.pause(sandbox);
    const home = this.home(sandbox);
    await mkdir(join(home, 'workspace', 'project'), { recursive: true });
    // Callers are told this host.
    const { SANDBOX_HOST: host } = this.settings;
    const port = await freePort(host);
    const { command, args } = embeddedAgentServerCommand();
    const server = spawn(command, [...args, '--own-user', '--host', host, '--port', `${port}`], {
      cwd: home,
      env: {
        ...agentServerEnvironment(this.settings, sandbox.sessionKey, { home, port }),
        ...modelEnvironment(this.settings),
      },
      stdio: 'ignore',
    });
    await new Promise((spawned, failed) => server.once('spawn', spawned).once('error', failed));
    return { baseUrl: `http://${host}:${port}`, port, workingDir: 'workspace/project' };
  }

  resume(sandbox: SandboxHandle): Promise<StartedServer> {
    return this.start(sandbox);
  }

  pause(sandbox: SandboxHandle): Promise<void> {
    return endProcessesIn(this.home(sandbox));
  }

  stopNow(sandbox: SandboxHandle): Promise<void> {
    return this.pause(sandbox);
  }

  async delete(sandbox: SandboxHandle): Promise<void> {
    await this.pause(sandbox);
    await rm(this.home(sandbox), { recursive: true, force: true });
  }

  async describe(sandbox: SandboxHandle): Promise<RunState> {
    const home = this.home(sandbox);
    if ((await serverIn(home)) !== null) return 'running';
    return access(home).then(
      () => 'stopped',
      () => 'missing',
    );
  }

  isAvailable(): Promise<boolean> {
    return Promise.resolve(true);
  }

  private home({ id }: SandboxHandle): string {
    return homeOf(this.settings.DATA_DIR, id);
  }
}

async function freePort(host: string): Promise<number> {
  const probe = createServer().listen(0, host);
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  await new Promise((closed) => probe.close(closed));
  return port;
}
