import { dirname, join } from 'node:path';
import { firstOfNamespace, processSpace, startOf } from '../../kernel/common';
import { reachable, type Settings } from '../../kernel/config';
import { DriverError, type StartedServer } from '../../sandboxes/driver-port';
import { environmentWithoutKeys, inheritedEnvironment } from '../agent-server-environment';
import { type Control, type ControlFiles, sandboxUsers } from './control-files';
import { endProcess } from './end-process';
import { openHome, openTemporary, workIn } from './folders';
import type { ForkServer, ForkServerOptions } from '../forks/fork-server';
import { Forks } from '../forks/forks';
import { canHaveUsers, closedFolderOf, foldersOf, type Isolation, isolationRefusal } from '../isolation';
import { ControlGroups } from '../launch/control-groups';
import { seesWorkspace, WORKSPACE } from '../launch/file-view';
import { launch } from '../launch/launch';
import { isolated, namespaceProblem } from '../launch/namespaces';
import { networkReach } from '../launch/network-reach';
import { programAt, restricted, type Restrictions } from '../launch/restrictions';
import { type Place, Places } from './places';
import { writeAccounts, writeSystemFile } from './system-files';
import { newUser } from '../sandbox-users';

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
   * What is done where sandboxes cannot have namespaces of their own: `confined` for a program that can confine itself
   * (it gets `--own-user` where it need not), `refused` for one that cannot.
   */
  readonly withoutNamespaces: 'confined' | 'refused';
  /** Ends its processes when the service stops; else they run on. */
  readonly stopsWithService: boolean;
  readonly builtInModel: string | null;
  readonly operatorNote: string;
}

/** One agent server as it is to be started. */
interface AgentProcess {
  /** The id of its folder, record and log. */
  readonly id: string;
  /** Variables with its keys. */
  readonly keys: Readonly<Record<string, string>>;
  /** The port it had before, to be kept where that is possible. */
  readonly port: number | null;
  /** Whether no sandbox has it yet. */
  readonly isWarm: boolean;
  /** Called when it ends while this process lives. */
  readonly onExit: () => void;
}

/** By which a sandbox has its files. */
interface Names {
  readonly id: string;
  /** Another id by which its processes know the folder. */
  readonly alias: string | null;
}

/**
 * Starts agent servers as processes of this host, each with a folder (0700), a port, an environment, namespaces where the
 * system has them and, where the service is root, a user of its own.
 */
export class AgentProcesses {
  private readonly places: Places;
  /** Makes agent servers of one that has been imported. */
  readonly forks = new Forks(() => this.forkServer());
  private found: { readonly isolation: Isolation | null } | undefined;

  constructor(
    private readonly settings: Settings,
    private readonly options: ProcessDriverOptions,
    private readonly files: ControlFiles,
  ) {
    this.places = new Places(settings, files);
  }

  /** Null where sandboxes must not run: see {@link isolationRefusal}. */
  get isolation(): Isolation | null {
    this.found ??= { isolation: this.findIsolation() };
    return this.found.isolation;
  }

  /** The control groups that limit sandboxes; null where this host has none for the service. */
  get groups(): ControlGroups | null {
    return ControlGroups.ofHost();
  }

  /** The first folder in the way of users without rights of their own. */
  closed(): string | null {
    return closedFolderOf([dirname(this.files.folder), ...foldersOf(this.options.command)]);
  }

  /** A user that no sandbox has; null where they have none of their own. @throws DriverError */
  async unusedUser(): Promise<number | null> {
    return this.hasUsers ? newUser(new Set(await sandboxUsers(this.settings))) : null;
  }

  /** Starts one in the folder of its id, as the user that it had before. @throws DriverError */
  async start({ id, keys, port: portBefore, isWarm, onExit }: AgentProcess): Promise<StartedServer> {
    const { isolation } = this;
    if (isolation === null) throw new DriverError(isolationRefusal() ?? '');
    const before = await this.files.read(id);
    const uidBefore = before?.uid ?? null;
    const place = await this.places.choose(id, { port: portBefore, uid: uidBefore }, this.hasUsers);
    const { port, uid } = place;
    const { SANDBOX_HOST: host, CALLBACK_PORT: callbackPort } = this.settings;
    try {
      const space = await processSpace();
      const alias = before?.alias ?? null;
      const record = { space, host, port, uid, isolation, callbackPort, isAhead: isWarm, alias };
      await this.files.write(id, { ...record, pid: null, start: null });
      const home = this.files.home(id);
      await openHome(home, uid);
      const forks = await this.forks.current();
      const env = this.environment({ home, port }, keys, forks);
      const [program = '', ...args] = await this.commandAt(place, { id, alias }, forks);
      const waits = isolation === 'namespaces';
      const launched = await launch({
        program,
        args,
        cwd: home,
        env,
        waits,
        logFile: this.files.logFile(id),
        onExit,
      });
      const pid = waits ? await firstOfNamespace(launched.pid) : launched.pid;
      const start = pid === null ? null : await startOf(pid);
      if (pid === null || start === null) throw new DriverError('The agent server ended at once.');
      // Before others can find it waiting.
      if (forks !== null) void this.forks.take(forks, id, { first: pid, entries: this.entriesOf(id) });
      await this.files.write(id, { ...record, pid, start });
      launched.begin();
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

  /** Ends the processes of a sandbox. @param termMs how long they may take by themselves @throws DriverError */
  async end(id: string, termMs?: number): Promise<void> {
    const control = await this.files.read(id);
    await endProcess(control, termMs);
    for (const group of namesOf(id, control)) await this.groups?.remove(group);
  }

  /** Whether the last run of a sandbox had no memory left. */
  async ranOut(id: string): Promise<boolean> {
    const names = namesOf(id, await this.files.read(id));
    for (const group of names) if ((await this.groups?.ranOut(group)) === true) return true;
    return false;
  }

  /** The folder for conversations of a sandbox: beside the files of its agent server, not around them. */
  workingDirOf(id: string): string {
    const home = this.files.home(id);
    const isShown = this.isolation === 'namespaces' && seesWorkspace(home, this.hasUsers);
    return isShown ? join(WORKSPACE, 'project') : workIn(home);
  }

  private get hasUsers(): boolean {
    return this.isolation === 'namespaces' && canHaveUsers();
  }

  private async commandAt(place: Place, names: Names, forks: ForkServer | null): Promise<string[]> {
    const { SANDBOX_HOST: host } = this.settings;
    const [name = '', ...args] = this.options.command;
    const isIsolated = this.isolation === 'namespaces';
    // In a network of its own nobody else comes to other addresses.
    const listens = isIsolated ? (host.includes(':') ? '::' : '0.0.0.0') : host;
    const command = [
      await programAt(name, inheritedEnvironment().PATH ?? ''),
      ...args,
      ...this.confinement(),
      '--host',
      listens,
      '--port',
      String(place.port),
    ];
    const runs = isIsolated ? await this.isolatedAt(place, names, { command, forks }) : command;
    return restricted(runs, await this.restrictions(names.id, isIsolated));
  }

  private async isolatedAt(
    { port, uid }: Place,
    { id, alias }: Names,
    { command, forks }: { readonly command: readonly string[]; readonly forks: ForkServer | null },
  ): Promise<string[]> {
    const { settings } = this;
    const home = this.files.home(id);
    const reach = await networkReach(settings, { host: settings.SANDBOX_HOST, port });
    await openTemporary(home, uid);
    const resolver = reach.resolver === null ? null : await writeSystemFile(home, 'resolv', reach.resolver);
    await writeAccounts(home, { uid: uid ?? ownUid(), gid: uid ?? process.getgid?.() ?? 0 });
    const from = forks?.place;
    const aliases = [alias === null ? [] : this.files.home(alias), from?.home ?? []].flat();
    const view = { home, aliases, command, resolver, hasAccounts: true, closed: [settings.DATA_DIR] };
    const seen = { within: from?.around ?? null, shown: from === undefined ? [] : [from.folder] };
    return isolated({ uid, reach, ...view, ...seen });
  }

  private environment(
    at: { readonly home: string; readonly port: number },
    keys: AgentProcess['keys'],
    forks: ForkServer | null,
  ): Record<string, string> {
    return {
      ...inheritedEnvironment(),
      ...environmentWithoutKeys(this.settings, at),
      ...keys,
      ...this.options.environment,
      // Sockets are in it, whose paths have at most 107 bytes: terminals work wherever `DATA_DIR` is.
      ...(this.isolation === 'namespaces' ? { TMUX_TMPDIR: '/tmp' } : {}),
      ...forks?.place.environment,
    };
  }

  private entriesOf(id: string): string[] {
    return this.groups?.entries(id) ?? [];
  }

  private async forkServer(): Promise<ForkServerOptions | null> {
    const { settings, options } = this;
    if (settings.SANDBOX_DRIVER !== options.name || options.commandSetting === null) return null;
    if (this.isolation !== 'namespaces') return null;
    // It is in those of the service itself, which they may move to others.
    ControlGroups.ofHost();
    const environment = this.environment({ home: '/tmp', port: 0 }, {}, null);
    return {
      folder: join(this.files.folder, 'forks'),
      command: options.command,
      environment,
      uid: await this.unusedUser(),
      closed: [settings.DATA_DIR],
    };
  }

  private async restrictions(id: string, isIsolated: boolean): Promise<Restrictions> {
    const { SANDBOX_PROCESSES: processes, SANDBOX_MEMORY_MEBIBYTES: mebibytes } = this.settings;
    await this.groups?.make(id, this.settings);
    return {
      entries: this.entriesOf(id),
      processes: isIsolated ? processes : null,
      mebibytes: this.groups === null ? mebibytes : null,
    };
  }

  private findIsolation(): Isolation | null {
    const isConfined = this.options.withoutNamespaces === 'confined';
    const cannotEnter = isConfined && canHaveUsers() && this.closed() !== null;
    if (namespaceProblem() === null && !cannotEnter) return 'namespaces';
    if (isConfined) return 'confined';
    return this.settings.SANDBOX_ISOLATION === 'none' ? 'none' : null;
  }

  private confinement(): string[] {
    return this.options.withoutNamespaces === 'confined' && this.isolation === 'namespaces'
      ? ['--own-user']
      : [];
  }
}

/** The user of this process; 0 where systems have none, and none is asked for. */
function ownUid(): number {
  return process.getuid?.() ?? 0;
}

/** Those that its control group may have: it is made under the id that the sandbox was started with. */
function namesOf(id: string, control: Control | null): string[] {
  return control === null || control.alias === null ? [id] : [id, control.alias];
}
