import { chown, lstat, mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { processSpace, startOf } from '../../../common';
import { reachable, type Settings } from '../../../config';
import { DriverError, type StartedServer } from '../../record/sandbox-driver';
import { environmentWithoutKeys, inheritedEnvironment } from '../agent-server-environment';
import { type ControlFiles, sandboxUsers } from './control-files';
import type { HostFirewall } from '../firewall/host-firewall';
import { canHaveUsers, closedFolderOf, foldersOf, type Isolation, NEEDS_ROOT } from '../isolation';
import { launch } from '../launch/launch';
import { restricted } from '../launch/restrictions';
import { WorkspaceMount } from '../launch/workspace-mount';
import { type Place, Places } from './places';
import { giveTo, newUser } from '../users/sandbox-users';

/** How a driver of processes differs from another. */
export interface ProcessDriverOptions {
  readonly name: string;
  readonly description: string;
  /** Program and arguments; host and port are added. */
  readonly command: readonly string[];
  /** The setting that names the program; null for one that comes with the service. */
  readonly commandSetting: string | null;
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

/** One agent server as it is to be started. */
export interface AgentProcess {
  /** Of its folder, its record and its log. */
  readonly id: string;
  /** Variables with its keys. */
  readonly keys: Readonly<Record<string, string>>;
  /** The port it had before, to be kept where that is possible. */
  readonly port: number | null;
  /** Whether no sandbox has it yet. */
  readonly isAhead: boolean;
  /** Called when it ends while this process lives. */
  readonly onExit: () => void;
}

/**
 * Starts agent servers as processes of this host, each with a folder (0700), a port, an environment and, where the service is
 * root, a user of its own.
 */
export class AgentProcesses {
  private readonly places: Places;
  private readonly mount: WorkspaceMount;
  private found: { readonly isolation: Isolation | null } | undefined;

  constructor(
    private readonly settings: Settings,
    private readonly options: ProcessDriverOptions,
    private readonly files: ControlFiles,
    private readonly firewall: HostFirewall,
  ) {
    this.places = new Places(settings, files);
    this.mount = new WorkspaceMount(files.folder, options.command);
  }

  /** Null where sandboxes must not run: see {@link NEEDS_ROOT}. */
  get isolation(): Isolation | null {
    this.found ??= { isolation: this.findIsolation() };
    return this.found.isolation;
  }

  /** Why they have no folder /workspace of their own; null where they have. */
  mountProblem(): Promise<string | null> {
    return this.mount.problem();
  }

  /** The first folder in the way of users without rights of their own. */
  closed(): string | null {
    return closedFolderOf([dirname(this.files.folder), ...foldersOf(this.options.command)]);
  }

  /** A user that no sandbox has; null where they have none of their own. @throws DriverError */
  async unusedUser(): Promise<number | null> {
    if (this.isolation !== 'user') return null;
    return newUser(new Set((await sandboxUsers(this.settings)).map(({ uid }) => uid)));
  }

  /** Starts one in the folder of its id, as the user that it had before. @throws DriverError */
  async start({ id, keys, port: portBefore, isAhead, onExit }: AgentProcess): Promise<StartedServer> {
    const { isolation } = this;
    if (isolation === null) throw new DriverError(NEEDS_ROOT);
    const before = await this.files.read(id);
    const wasAt = { port: portBefore, uid: before?.uid ?? null };
    const place = await this.places.choose(id, wasAt, isolation === 'user');
    const { port, uid } = place;
    const host = this.settings.SANDBOX_HOST;
    try {
      const space = await processSpace();
      const record = { space, host, port, uid, isolation, isAhead, alias: before?.alias ?? null };
      // A service that is killed before it knows the process still knows whose processes to end.
      await this.files.write(id, { ...record, pid: null, start: null });
      const home = await this.openHome(id, uid);
      if (uid !== null) await this.firewall.admit({ uid, host, port });
      const env = {
        ...inheritedEnvironment(),
        ...environmentWithoutKeys(this.settings, { home, port }),
        ...keys,
        ...this.options.environment,
      };
      const plain = await this.commandAt(place, env.PATH ?? '');
      const { command, variables, ...started } = await this.mount.mounted(plain, home, uid);
      const [program = '', ...args] = command;
      const pid = await launch({
        ...{ program, args, cwd: home, env: { ...env, ...variables }, ...started },
        ...{ logFile: this.files.logFile(id), onExit },
      });
      const start = await startOf(pid);
      if (start === null) throw new DriverError('The agent server ended at once.');
      await this.files.write(id, { ...record, pid, start });
      return {
        baseUrl: `http://${reachable(host)}:${port}`,
        port,
        workingDir: this.workingDirOf(id),
        listenerUid: uid ?? ownUid(),
      };
    } finally {
      this.places.recorded(place);
    }
  }

  /** Where the conversations of a sandbox work: next to what its agent server stores for itself, not around it. */
  workingDirOf(id: string): string {
    return within(this.files.home(id));
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
    for (const folder of [draft, dirname(within(draft)), within(draft)]) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      if (uid !== null) await chown(folder, uid, uid);
    }
    await rename(draft, home);
    return home;
  }

  private findIsolation(): Isolation | null {
    const isConfined = this.options.withoutUsers === 'confined';
    if (canHaveUsers()) return isConfined && this.closed() !== null ? 'confined' : 'user';
    if (isConfined) return 'confined';
    return this.settings.SANDBOX_ISOLATION === 'none' ? 'none' : null;
  }

  private confinement(): string[] {
    return this.options.withoutUsers === 'confined' && this.isolation === 'user' ? ['--own-user'] : [];
  }
}

/** The user of this process; 0 where systems have none, and none is asked for. */
export function ownUid(): number {
  return process.getuid?.() ?? 0;
}

function within(home: string): string {
  return join(home, 'workspace', 'project');
}
