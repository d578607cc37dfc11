import { chmod, chown, lstat, mkdir, rename, rm, stat, truncate } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Logger } from '@nestjs/common';
import { processSpace, startOf } from '../../common';
import type { Settings } from '../../config';
import { agentServerEnvironment } from './agent-server-environment';
import { ControlFiles } from './control-files';
import { endProcess } from './end-process';
import { freePort } from './free-port';
import { launch } from './launch';
import {
  type SandboxHandle,
  type DriverCapabilities,
  DriverError,
  type RunState,
  type SandboxDriver,
  type StartedServer,
} from './sandbox-driver';
import { canHaveUsers, closedFolder, newUser } from './sandbox-users';

/** A log that grew beyond this begins anew. */
const MAX_LOG_BYTES = 10 * 1024 * 1024;

/** What a process is given to end by itself when the service ends too. */
const STOP_NOW_MS = 1_000;

/** What a process has for itself on its host. */
interface Place {
  readonly port: number;
  readonly uid: number | null;
}

/** How a driver of processes differs from another. */
export interface ProcessDriverOptions {
  readonly name: string;
  readonly description: string;
  /** Program and arguments; host and port are added. */
  readonly command: readonly string[];
  /** Variables beside those that every agent server gets. */
  readonly environment: Readonly<Record<string, string>>;
  /** Gives each sandbox a user of its own where the service runs as root. */
  readonly ownUsers: boolean;
  /** Ends its processes when the service stops; else they run on. */
  readonly stopsWithService: boolean;
}

/**
 * Runs one agent server per sandbox as a process of this host, with a folder (0700), a port, a key and an
 * environment of its own. The processes outlive the service and are found again by number and start time.
 */
export class ProcessDriver implements SandboxDriver {
  readonly capabilities: DriverCapabilities;
  private readonly files: ControlFiles;
  private readonly log = new Logger('Sandboxes');
  /** Ports and users that were chosen but are not recorded yet. */
  private readonly reserved = { ports: new Set<number>(), users: new Set<number>() };
  private turn: Promise<unknown> = Promise.resolve();
  private exited: (id: string) => void = () => undefined;

  constructor(
    private readonly settings: Settings,
    private readonly options: ProcessDriverOptions,
  ) {
    this.capabilities = {
      hostBound: true,
      sharedServer: false,
      singleOrganization: false,
      stopsWithService: options.stopsWithService,
      unresponsiveAfterMs: 60_000,
    };
    this.files = new ControlFiles(join(resolve(settings.DATA_DIR), 'sandboxes', options.name));
  }

  get name(): string {
    return this.options.name;
  }

  get description(): string {
    return this.options.description;
  }

  /** Warns once, at start, of what this driver does not protect from. */
  async prepare(): Promise<void> {
    if (!this.options.ownUsers) return;
    if (!canHaveUsers()) {
      this.log.warn(
        'Sandboxes run as the user of this service: they isolate nothing and are for trusted users only.',
      );
      return;
    }
    await mkdir(this.files.folder, { recursive: true });
    await chmod(this.files.folder, 0o711);
    const closed = await closedFolder(this.files.folder);
    if (closed !== null)
      this.log.warn(
        `Sandboxes run as users of their own, who cannot enter ${closed}: none will start. Open it (chmod o+x) or set another DATA_DIR.`,
      );
  }

  /** @param listener is told of the end of every process that this process of the service started */
  onExit(listener: (sandboxId: string) => void): void {
    this.exited = listener;
  }

  async start(sandbox: SandboxHandle): Promise<StartedServer> {
    await mkdir(this.files.folder, { recursive: true });
    return this.run(sandbox);
  }

  async resume(sandbox: SandboxHandle): Promise<StartedServer> {
    if ((await this.describe(sandbox)) === 'missing')
      throw new DriverError('The folder of the sandbox is gone.');
    return this.run(sandbox);
  }

  async pause({ id }: SandboxHandle): Promise<void> {
    await endProcess(await this.files.read(id));
  }

  /** As pause, for a service that has to end within seconds itself. */
  async stopNow({ id }: SandboxHandle): Promise<void> {
    await endProcess(await this.files.read(id), STOP_NOW_MS);
  }

  async delete({ id }: SandboxHandle): Promise<void> {
    await endProcess(await this.files.read(id));
    await rm(this.files.home(id), { recursive: true, force: true });
    await this.files.remove(id);
  }

  async describe({ id }: Pick<SandboxHandle, 'id'>): Promise<RunState> {
    const home = await stat(this.files.home(id)).catch(() => null);
    if (home === null) return 'missing';
    const control = await this.files.read(id);
    if (control?.space !== (await processSpace())) return 'stopped';
    await this.limitLog(id);
    return (await startOf(control.pid)) === control.start ? 'running' : 'stopped';
  }

  isAvailable(): Promise<boolean> {
    return Promise.resolve(true);
  }

  private async run(sandbox: SandboxHandle): Promise<StartedServer> {
    const { id, sessionKey } = sandbox;
    const before = await this.files.read(id);
    await endProcess(before);
    const { port, uid } = await this.choosePlace(sandbox, before?.uid ?? null);
    const host = this.settings.SANDBOX_HOST;
    try {
      const home = await this.openHome(id, uid);
      const [program = '', ...args] = this.options.command;
      const pid = await launch({
        program,
        args: [...args, '--host', host, '--port', String(port)],
        cwd: home,
        env: { ...agentServerEnvironment(this.settings, sessionKey, home), ...this.options.environment },
        uid,
        logFile: this.files.logFile(id),
        onExit: () => this.exited(id),
      });
      const start = await startOf(pid);
      if (start === null) throw new DriverError('The agent server ended at once.');
      await this.files.write(id, { pid, start, space: await processSpace(), port, uid });
      return { baseUrl: `http://${reachable(host)}:${port}`, port, workingDir: workingDirOf(home) };
    } finally {
      this.reserved.ports.delete(port);
      if (uid !== null) this.reserved.users.delete(uid);
    }
  }

  /** A port and a user, kept from others until they are written down: one sandbox chooses at a time. */
  private choosePlace(sandbox: SandboxHandle, uidBefore: number | null): Promise<Place> {
    const chosen = this.turn.then(async () => {
      const others = await this.othersThan(sandbox.id);
      const needsUser = this.options.ownUsers && canHaveUsers();
      const uid = uidBefore ?? (needsUser ? await newUser(others.users) : null);
      const port = await freePort(this.settings.SANDBOX_HOST, sandbox.port, others.ports);
      this.reserved.ports.add(port);
      if (uid !== null) this.reserved.users.add(uid);
      return { port, uid };
    });
    this.turn = chosen.catch(() => undefined);
    return chosen;
  }

  private async othersThan(own: string): Promise<{ ports: Set<number>; users: Set<number> }> {
    const ports = new Set(this.reserved.ports);
    const users = new Set(this.reserved.users);
    for (const id of await this.files.ids()) {
      const control = id === own ? null : await this.files.read(id);
      if (control === null) continue;
      ports.add(control.port);
      if (control.uid !== null) users.add(control.uid);
    }
    return { ports, users };
  }

  /**
   * The folder, made whole before it has its name. One that exists is the sandbox's own: what it put there
   * (a link, for example) must not lead this process anywhere.
   */
  private async openHome(id: string, uid: number | null): Promise<string> {
    const home = this.files.home(id);
    if ((await lstat(home).catch(() => null)) !== null) return home;
    const draft = `${home}.new`;
    await rm(draft, { recursive: true, force: true });
    for (const folder of [draft, dirname(workingDirOf(draft)), workingDirOf(draft)]) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      if (uid !== null) await chown(folder, uid, uid);
    }
    await rename(draft, home);
    return home;
  }

  private async limitLog(id: string): Promise<void> {
    const log = await stat(this.files.logFile(id)).catch(() => null);
    if (log !== null && log.size > MAX_LOG_BYTES) await truncate(this.files.logFile(id));
  }
}

/** Beside, not around, what the agent server keeps for itself. */
function workingDirOf(home: string): string {
  return join(home, 'workspace', 'project');
}

/** An address that listens on all interfaces is reached by the host's own. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
