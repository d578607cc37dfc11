import { chmod, mkdir, stat } from 'node:fs/promises';
import { Logger } from '@nestjs/common';
import { processSpace, startOf } from '../../kernel/common';
import type { Settings } from '../../kernel/config';
import { AgentProcesses, type ProcessDriverOptions } from './agent-processes';
import { keysInEnvironment } from '../agent-server-environment';
import { commandProblem } from './command-problem';
import { ControlFiles, sandboxesFolder } from './control-files';
import { endProcess } from './end-process';
import { canHaveUsers } from '../isolation';
import { isFolder, WORKSPACE } from '../launch/file-view';
import { namespaceProblem } from '../launch/namespaces';
import {
  type SandboxHandle,
  type DriverCapabilities,
  DriverError,
  type DriverProblem,
  type LogLimit,
  type RunState,
  type SandboxDriver,
  type StartedServer,
} from '../../sandboxes/driver-port';
import { outOfMemory } from '../out-of-memory';
import { WarmProcesses } from './warm-processes';

/** How long a process may take to stop during shutdown of the service. */
const STOP_NOW_MS = 1_000;

const ISOLATES_NOTHING =
  'Sandboxes run as the user of this service: they isolate nothing, and everyone with a key has all that this user has.';
const CONFINED =
  'Embedded sandboxes run as the user of this service, and therefore without commands, setup scripts and git hooks, and with files of their own folder only.';
const WHAT_IT_TAKES = 'Provide what docs/sandboxes.md#isolation names.';
const WITHOUT_GROUPS =
  'The service has no control groups for memory and processes on this host: SANDBOX_MEMORY_MEBIBYTES limits each process of a sandbox, not all together.';

/**
 * Runs one agent server per sandbox as a process of this host, with a folder (0700), a port, a key and an
 * environment of its own. The processes outlive the service and are found again by number and start time.
 */
export class ProcessDriver implements SandboxDriver {
  private readonly files: ControlFiles;
  private readonly log = new Logger('Sandboxes');
  private readonly processes: AgentProcesses;
  private readonly warm: WarmProcesses;
  private exited: (id: string) => void = () => undefined;

  constructor(
    private readonly settings: Settings,
    private readonly options: ProcessDriverOptions,
  ) {
    this.files = new ControlFiles(sandboxesFolder(settings, options.name));
    this.processes = new AgentProcesses(settings, options, this.files);
    this.warm = new WarmProcesses(settings, options.name, { processes: this.processes, files: this.files });
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
      withoutCommands: this.processes.isolation === 'confined',
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
    const { isolation } = this.processes;
    if (isolation === 'namespaces' && canHaveUsers()) await this.openMountPoint();
    if (isolation === 'none') this.log.warn(ISOLATES_NOTHING);
    if (isolation === 'confined') this.log.warn(`${CONFINED} ${this.whyConfined()}`);
    const closed = this.closed();
    if (closed !== null) this.log.warn(`${closed.says} ${closed.change}`);
    if (this.processes.groups === null) this.log.log(WITHOUT_GROUPS);
    await this.processes.forks.current();
    await this.warm.open();
  }

  async problems(): Promise<readonly DriverProblem[]> {
    const { command, commandSetting: setting, environment } = this.options;
    if (this.processes.isolation === 'confined')
      return [{ isFatal: false, says: `${CONFINED} ${this.whyConfined()}`, change: WHAT_IT_TAKES }];
    const closed = this.closed();
    if (closed !== null) return [closed];
    if (setting === null) return [];
    const uid = await this.processes.unusedUser();
    const isIsolated = this.processes.isolation === 'namespaces';
    const problem = await commandProblem({ command, setting, environment, uid, isIsolated });
    return problem === null ? [] : [problem];
  }

  /** @param listener is called when a process ends that this process of the service started */
  onExit(listener: (sandboxId: string) => void): void {
    this.exited = listener;
  }

  async start(sandbox: SandboxHandle): Promise<StartedServer> {
    await this.openFolder();
    const isNew = (await this.files.read(sandbox.id)) === null;
    const claimed = isNew ? await this.warm.claim(sandbox, () => this.exited(sandbox.id)) : null;
    return claimed ?? this.run(sandbox);
  }

  async resume(sandbox: SandboxHandle): Promise<StartedServer> {
    if ((await this.describe(sandbox)) === 'missing')
      throw new DriverError('The folder of the sandbox is gone.');
    return this.run(sandbox);
  }

  async pause({ id }: SandboxHandle): Promise<void> {
    await this.processes.end(id);
  }

  /** As pause, for a service that stops within seconds. */
  async stopNow({ id }: SandboxHandle): Promise<void> {
    await this.processes.end(id, STOP_NOW_MS);
  }

  async delete({ id }: SandboxHandle): Promise<void> {
    const control = await this.files.read(id);
    await this.processes.end(id);
    await this.files.remove(id, control?.alias ?? null);
  }

  async describe({ id }: Pick<SandboxHandle, 'id'>): Promise<RunState> {
    const home = await stat(this.files.home(id)).catch(() => null);
    if (home === null) return 'missing';
    const control = await this.files.read(id);
    if (control?.space !== (await processSpace())) return 'stopped';
    await this.files.limitLog(id);
    if (control.pid === null || (await startOf(control.pid)) !== control.start) return 'stopped';
    const callsHere = control.callbackPort === this.settings.CALLBACK_PORT;
    if (callsHere && control.isolation === this.processes.isolation) {
      await this.processes.forks.goOn(id, control.pid);
      return 'running';
    }
    // Started with rights that kept it apart in another way; or its calls lead where nobody listens now.
    await endProcess(control);
    return 'stopped';
  }

  async explain({ id }: Pick<SandboxHandle, 'id'>): Promise<string | null> {
    return (await this.processes.ranOut(id)) ? outOfMemory(this.settings) : null;
  }

  logs({ id }: SandboxHandle, limit: LogLimit): Promise<readonly string[]> {
    return this.files.lastLogLines(id, limit);
  }

  isAvailable(): Promise<boolean> {
    return Promise.resolve(true);
  }

  /** Ends those that were pre-warmed. */
  async close(): Promise<void> {
    await this.warm.close();
    await this.processes.forks.close();
  }

  private async run({ id, port, sessionKey }: SandboxHandle): Promise<StartedServer> {
    await this.processes.end(id);
    return this.processes.start({
      id,
      port,
      keys: keysInEnvironment(sessionKey),
      isWarm: false,
      onExit: () => this.exited(id),
    });
  }

  /** Why sandboxes have no namespaces of their own, as a sentence. */
  private whyConfined(): string {
    const problem = namespaceProblem();
    if (problem !== null) return `Sandboxes have no namespaces of their own: ${problem}.`;
    const folder = this.processes.closed() ?? '';
    return `${this.cannotEnter(folder)}. ${opens(folder)}`;
  }

  /** The folder that keeps users of sandboxes from what they need, and thereby all sandboxes from starting; null without one. */
  private closed(): DriverProblem | null {
    const isOther = this.processes.isolation === 'namespaces' && canHaveUsers();
    const folder = isOther ? this.processes.closed() : null;
    if (folder === null) return null;
    return { isFatal: true, says: `${this.cannotEnter(folder)}: none will start.`, change: opens(folder) };
  }

  private cannotEnter(folder: string): string {
    const { commandSetting: setting } = this.options;
    const program = setting === null ? 'this program' : `the program of ${setting}, or its Python,`;
    return `Users of sandboxes cannot enter ${folder}, where DATA_DIR or ${program} is`;
  }

  /** Where each sandbox that sees the host's files sees its own folder. */
  private async openMountPoint(): Promise<void> {
    await mkdir(WORKSPACE, { mode: 0o755 }).catch(() => undefined);
    if (!isFolder(WORKSPACE))
      this.log.warn(`Sandboxes have no folder ${WORKSPACE} of their own: it cannot be made on this host.`);
  }

  /** The folder of all sandboxes: others may pass through it, and see nothing. */
  private async openFolder(): Promise<void> {
    await mkdir(this.files.folder, { recursive: true });
    if (canHaveUsers()) await chmod(this.files.folder, 0o711);
  }
}

function opens(folder: string): string {
  return `Open it (chmod o+x ${folder}), or have all of that elsewhere, as below /opt.`;
}
