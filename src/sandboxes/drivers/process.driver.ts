import { chmod, chown, lstat, mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Logger } from '@nestjs/common';
import { processSpace, startOf } from '../../common';
import { reachable, type Settings } from '../../config';
import { agentServerEnvironment } from './agent-server-environment';
import { type Control, ControlFiles, sandboxesFolder } from './control-files';
import { endProcess } from './end-process';
import type { HostFirewall } from './firewall/host-firewall';
import { canHaveUsers, closedFolderOf, foldersOf, type Isolation, NEEDS_ROOT } from './isolation';
import { launch } from './launch/launch';
import { canWithholdRights, restricted } from './launch/restrictions';
import { WorkspaceMount } from './launch/workspace-mount';
import { type Place, Places } from './places';
import {
  type SandboxHandle,
  type DriverCapabilities,
  DriverError,
  type LogLimit,
  type RunState,
  type SandboxDriver,
  type StartedServer,
} from '../record/sandbox-driver';
import { giveTo } from './users/sandbox-users';

/** What a process is given to end by itself when the service ends too. */
const STOP_NOW_MS = 1_000;

const ISOLATES_NOTHING =
  'Sandboxes run as the user of this service: they isolate nothing, and everyone with a key has all that this user has.';
const GAINS_RIGHTS =
  'Agents may gain rights by programs that run as root (sudo, su): setpriv, of util-linux or BusyBox, cannot be used.';
const CONFINED =
  'Embedded sandboxes run as the user of this service, and therefore without commands, setup scripts and git hooks, and with files of their own folder only.';

/** How a driver of processes differs from another. */
export interface ProcessDriverOptions {
  readonly name: string;
  readonly description: string;
  /** Program and arguments; host and port are added. */
  readonly command: readonly string[];
  /** Variables in addition to those that every agent server gets. */
  readonly environment: Readonly<Record<string, string>>;
  /**
   * What is done where sandboxes cannot have users of their own: `confined` for a program that can confine itself
   * (it gets `--own-user` where it need not), `refused` for one that cannot.
   */
  readonly withoutUsers: 'confined' | 'refused';
  /** Ends its processes when the service stops; else they run on. */
  readonly stopsWithService: boolean;
  readonly builtInModel: string | null;
  readonly operatorNote: string;
}

/**
 * Runs one agent server per sandbox as a process of this host, with a folder (0700), a port, a key and an
 * environment of its own. The processes outlive the service and are found again by number and start time.
 */
export class ProcessDriver implements SandboxDriver {
  private readonly files: ControlFiles;
  private readonly log = new Logger('Sandboxes');
  private readonly places: Places;
  private readonly mount: WorkspaceMount;
  private found: { readonly isolation: Isolation | null } | undefined;
  private exited: (id: string) => void = () => undefined;

  constructor(
    private readonly settings: Settings,
    private readonly options: ProcessDriverOptions,
    private readonly firewall: HostFirewall,
  ) {
    this.files = new ControlFiles(sandboxesFolder(settings, options.name));
    this.places = new Places(settings, this.files);
    this.mount = new WorkspaceMount(this.files.folder, options.command);
  }

  get name(): string {
    return this.options.name;
  }

  get description(): string {
    return this.options.description;
  }

  get capabilities(): DriverCapabilities {
    return {
      hostBound: true,
      sharedServer: false,
      singleOrganization: false,
      stopsWithService: this.options.stopsWithService,
      withoutCommands: this.isolation === 'confined',
      unresponsiveAfterMs: 60_000,
      builtInModel: this.options.builtInModel,
    };
  }

  get operatorNote(): string {
    return this.options.operatorNote;
  }

  /** Says once, at start, what this driver does not protect from. */
  async prepare(): Promise<void> {
    await this.openFolder();
    const { isolation } = this;
    if (isolation === 'user') await this.firewall.open();
    if (isolation === 'user' && !(await canWithholdRights())) this.log.warn(GAINS_RIGHTS);
    const unmounted = isolation === 'user' ? await this.mount.problem() : null;
    if (unmounted !== null) this.log.warn(`Sandboxes have no folder /workspace of their own: ${unmounted}.`);
    const closed = canHaveUsers() ? this.closed() : null;
    if (isolation === 'none') this.log.warn(ISOLATES_NOTHING);
    if (isolation === 'confined')
      this.log.warn(
        `${CONFINED} ${closed === null ? 'Start the service as root to change that.' : `${cannotEnter(closed)}.`}`,
      );
    if (isolation === 'user' && closed !== null) this.log.warn(`${cannotEnter(closed)}: none will start.`);
  }

  /** @param listener is called when a process ends that this process of the service started */
  onExit(listener: (sandboxId: string) => void): void {
    this.exited = listener;
  }

  async start(sandbox: SandboxHandle): Promise<StartedServer> {
    await this.openFolder();
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
    const control = await this.files.read(id);
    await endProcess(control);
    if (control !== null && control.uid !== null) await this.firewall.release(control.uid);
    await rm(this.files.home(id), { recursive: true, force: true });
    await this.files.remove(id);
  }

  async describe({ id }: Pick<SandboxHandle, 'id'>): Promise<RunState> {
    const home = await stat(this.files.home(id)).catch(() => null);
    if (home === null) return 'missing';
    const control = await this.files.read(id);
    if (control?.space !== (await processSpace())) return 'stopped';
    await this.files.limitLog(id);
    if (control.pid === null || (await startOf(control.pid)) !== control.start) return 'stopped';
    if (isolationOf(control) === this.isolation) return 'running';
    // Started by a version, or with rights, that kept it apart in another way.
    await endProcess(control);
    return 'stopped';
  }

  async listenerUid({ id }: SandboxHandle): Promise<number | null> {
    const control = await this.files.read(id);
    return control === null ? null : (control.uid ?? ownUid());
  }

  logs({ id }: SandboxHandle, limit: LogLimit): Promise<readonly string[]> {
    return this.files.lastLogLines(id, limit);
  }

  isAvailable(): Promise<boolean> {
    return Promise.resolve(true);
  }

  private async run(sandbox: SandboxHandle): Promise<StartedServer> {
    const { id, sessionKey } = sandbox;
    const { isolation } = this;
    if (isolation === null) throw new DriverError(NEEDS_ROOT);
    const before = await this.files.read(id);
    await endProcess(before);
    const wasAt = { port: sandbox.port, uid: before?.uid ?? null };
    const place = await this.places.choose(id, wasAt, isolation === 'user');
    const { port, uid } = place;
    const host = this.settings.SANDBOX_HOST;
    try {
      const home = await this.openHome(id, uid);
      if (uid !== null) await this.firewall.admit({ uid, host, port });
      const record = { space: await processSpace(), host, port, uid, isolation };
      // A service that is killed before it knows the process still knows whose processes to end.
      await this.files.write(id, { ...record, pid: null, start: null });
      const env = {
        ...agentServerEnvironment(this.settings, sessionKey, { home, port }),
        ...this.options.environment,
      };
      const plain = await this.commandAt(place, env.PATH ?? '');
      const { command, variables, ...started } = await this.mount.mounted(plain, home, uid);
      const [program = '', ...args] = command;
      const pid = await launch({
        ...{ program, args, cwd: home, env: { ...env, ...variables }, ...started },
        logFile: this.files.logFile(id),
        onExit: () => this.exited(id),
      });
      const start = await startOf(pid);
      if (start === null) throw new DriverError('The agent server ended at once.');
      await this.files.write(id, { ...record, pid, start });
      return {
        baseUrl: `http://${reachable(host)}:${port}`,
        port,
        workingDir: workingDirOf(home),
        listenerUid: uid ?? ownUid(),
      };
    } finally {
      this.places.recorded(place);
    }
  }

  private async commandAt({ port, uid }: Place, path: string): Promise<string[]> {
    const where = ['--host', this.settings.SANDBOX_HOST, '--port', String(port)];
    const command = [...this.options.command, ...this.confinement(), ...where];
    return uid === null ? command : restricted(command, path);
  }

  /**
   * The folder, made whole before it has its name. One that exists is the sandbox's own: what it put there
   * (a link, for example) must not lead this process anywhere.
   */
  private async openHome(id: string, uid: number | null): Promise<string> {
    const home = this.files.home(id);
    const existing = await lstat(home).catch(() => null);
    if (existing !== null) {
      if (uid !== null && existing.uid !== uid) await giveTo(uid, home);
      return home;
    }
    const draft = `${home}.new`;
    await rm(draft, { recursive: true, force: true });
    for (const folder of [draft, dirname(workingDirOf(draft)), workingDirOf(draft)]) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      if (uid !== null) await chown(folder, uid, uid);
    }
    await rename(draft, home);
    return home;
  }

  /** Null where sandboxes must not run: see {@link NEEDS_ROOT}. */
  private get isolation(): Isolation | null {
    this.found ??= { isolation: this.findIsolation() };
    return this.found.isolation;
  }

  private findIsolation(): Isolation | null {
    const isConfined = this.options.withoutUsers === 'confined';
    if (canHaveUsers()) return isConfined && this.closed() !== null ? 'confined' : 'user';
    if (isConfined) return 'confined';
    return this.settings.SANDBOX_ISOLATION === 'none' ? 'none' : null;
  }

  /** The first folder in the way of users without rights of their own. */
  private closed(): string | null {
    return closedFolderOf([dirname(this.files.folder), ...foldersOf(this.options.command)]);
  }

  private confinement(): string[] {
    return this.options.withoutUsers === 'confined' && this.isolation === 'user' ? ['--own-user'] : [];
  }

  /** The folder of all sandboxes: others may pass through it, and see nothing. */
  private async openFolder(): Promise<void> {
    await mkdir(this.files.folder, { recursive: true });
    if (canHaveUsers()) await chmod(this.files.folder, 0o711);
  }
}

function cannotEnter(folder: string): string {
  return `Users of sandboxes cannot enter ${folder} (chmod o+x opens it; so does another DATA_DIR or installation folder)`;
}

/** The user of this process; 0 where systems have none, and none is asked for. */
function ownUid(): number {
  return process.getuid?.() ?? 0;
}

/** Records of earlier versions name the user only. */
function isolationOf({ isolation, uid }: Control): Isolation {
  return isolation ?? (uid === null ? 'none' : 'user');
}

/** Next to what the agent server stores for itself, not around it. */
function workingDirOf(home: string): string {
  return join(home, 'workspace', 'project');
}
