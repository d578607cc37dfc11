import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdir, open, readFile, readlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Logger } from '@nestjs/common';
import { commandOfNamespace, messageOf, signal, startOf } from '../../kernel/common';
import { inheritedEnvironment } from '../agent-server-environment';
import { filesOf } from '../launch/launch';
import { programAt } from '../launch/restrictions';
import { around, isolated, NO_REACH } from '../launch/namespaces';
import { newUser, userMap } from '../sandbox-users';

/** The code that Python runs before its program, in the server and in the sandboxes. */
const SCRIPTS = ['sitecustomize.py', 'fork_server.py'];
/** What programs of agent servers are scripts of, or have in their arguments. */
const MODULE = 'openhands.agent_server';
const MAX_SCRIPT_BYTES = 65_536;
/** The name of a process that waits for a fork, given by itself. */
const WAITS = 'agent-waits';
const POLL_MS = 5;
const PLACE_MS = 30_000;
/** How long the imports of an agent server may take on a busy machine. */
const IMPORT_MS = 120_000;

/** The process, and the pipe for requests to it. */
interface Server {
  readonly child: ChildProcess;
  readonly requests: Writable;
}

/** The options of a fork server. */
export interface ForkServerOptions {
  /** Below the folder of the sandboxes. */
  readonly folder: string;
  /** Of the agent server. */
  readonly command: readonly string[];
  /** Variables that all agent servers have. */
  readonly environment: Readonly<Record<string, string>>;
  /** Its user, which no sandbox has; null for the user of this process. */
  readonly uid: number | null;
  /** Folders that it does not see. */
  readonly closed: readonly string[];
}

/** The command of a sandbox that a fork can replace. */
interface ForkPlace {
  /** A process in whose user namespace that of the sandbox is to be. */
  readonly around: number;
  readonly environment: Readonly<Record<string, string>>;
  /** The folder that the command has to see. */
  readonly folder: string;
  /** A folder in it that becomes a link to the sandbox's own, since the imported code has this path. */
  readonly home: string;
}

/**
 * A process that has imported the agent server, once for all sandboxes, and is forked for each of them
 * (docs/sandboxes.md#forked). A fork takes the place of a process that waits in the sandbox; where none can, that process
 * becomes the agent server by itself.
 */
export class ForkServer {
  private readonly log = new Logger('Sandboxes');
  /** Forks are requested one at a time. */
  private turn: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly server: Server,
    private readonly answers: AsyncIterator<string>,
    private readonly folder: string,
    private readonly ready: Promise<boolean>,
  ) {}

  /** Whether a command is that of an agent server that can be imported. */
  static async canServe([name = '', ...args]: readonly string[]): Promise<boolean> {
    if (args.some((arg) => arg.includes(MODULE))) return true;
    const program = await programAt(name, inheritedEnvironment().PATH ?? '').catch(() => null);
    if (program === null) return false;
    const file = await open(program);
    try {
      const { size } = await file.stat();
      return size < MAX_SCRIPT_BYTES && (await file.readFile('utf8')).includes(MODULE);
    } finally {
      await file.close();
    }
  }

  /** Starts one, which is of use once it has imported everything. @throws Error */
  static async start({ folder, environment, ...options }: ForkServerOptions): Promise<ForkServer> {
    await mkdir(homeIn(folder), { recursive: true });
    for (const path of [folder, homeIn(folder)]) await chmod(path, 0o755);
    for (const script of SCRIPTS) {
      await copyFile(join(__dirname, script), join(folder, script));
      await chmod(join(folder, script), 0o644);
    }
    const [name = '', ...args] = options.command;
    const path = inheritedEnvironment().PATH ?? '';
    const command = [await programAt(name, path), ...args, '--help'];
    const [program = '', ...rest] = around({ ...options, command, shown: [folder], folder: homeIn(folder) });
    const log = await open(`${folder}.log`, 'w', 0o600);
    const nothing = await open('/dev/null', 'r+');
    try {
      const child = spawn(program, rest, {
        cwd: '/',
        env: { ...environment, HOME: homeIn(folder), ...variables('serve', folder) },
        detached: true,
        stdio: await filesOf(['pipe', 'pipe', log.fd], nothing),
      });
      const { stdin, stdout } = child;
      if (stdin === null || stdout === null) throw new Error('it has no pipes');
      const server = { child, requests: stdin };
      await prepare(server, options.uid).catch((error: unknown) => {
        child.kill('SIGKILL');
        throw error;
      });
      const answers = createInterface({ input: stdout })[Symbol.asyncIterator]();
      const ready = within(IMPORT_MS, answers.next()).then(
        (answer) => answer.value === 'ready',
        () => false,
      );
      const forks = new ForkServer(server, answers, folder, ready);
      void ready.then((isReady) => (isReady ? undefined : forks.close()));
      return forks;
    } finally {
      await Promise.all([log.close(), nothing.close()]);
    }
  }

  /** Whether it still runs, as far as is known. */
  get runs(): boolean {
    const { exitCode, signalCode } = this.server.child;
    return exitCode === null && signalCode === null;
  }

  /** Whether it can be used, once that is known. */
  get isReady(): Promise<boolean> {
    return this.ready;
  }

  /** The parameters of a sandbox to start. */
  get place(): ForkPlace {
    const { folder } = this;
    return {
      around: this.server.child.pid ?? 0,
      environment: variables('wait', folder),
      folder,
      home: homeIn(folder),
    };
  }

  /**
   * Replaces the process that waits in a sandbox by a fork, or lets it start on its own.
   * @param first the first process of the sandbox's namespace
   * @param entries the files by which a process enters the sandbox's control groups
   */
  async take(first: number, entries: readonly string[]): Promise<void> {
    const waiting = await placeIn(first);
    if (waiting === null) return;
    const taken = this.turn.then(() => this.fork(waiting, entries));
    this.turn = taken.catch(() => undefined);
    try {
      await taken;
    } catch (error) {
      this.log.warn(`An agent server starts without what was imported before: ${messageOf(error)}`);
      await goOnAlone(first);
    }
  }

  /** Ends it; its forks go on. */
  async close(): Promise<void> {
    if (!this.runs) return;
    const ended = once(this.server.child, 'exit');
    this.server.requests.destroy();
    this.server.child.kill('SIGKILL');
    await ended;
  }

  private async fork(waiting: number, entries: readonly string[]): Promise<void> {
    if (!(await this.ready)) throw new Error(`there is no fork server (${this.folder}.log says why)`);
    const start = await startOf(waiting);
    if (start === null) return;
    this.server.requests.write(`${waiting} ${start}\n`);
    const fork = await this.answer();
    for (const entry of entries) await writeFile(entry, fork);
    const result = await this.answer();
    if (result !== 'done') throw new Error(`a fork failed (${this.folder}.log says why)`);
  }

  /** Late answers could not be matched to requests any more. */
  private async answer(): Promise<string> {
    const answer = await within(PLACE_MS, this.answers.next()).catch(() => null);
    if (answer !== null && answer.done !== true) return answer.value;
    await this.close();
    throw new Error('the fork server does not answer');
  }
}

/** Says which users there are in the user namespace of a server, and tries a sandbox in it. @throws Error */
async function prepare({ child, requests }: Server, uid: number | null): Promise<void> {
  // An error of the pipe shows as a missing answer.
  for (const one of [child, requests]) one.on('error', () => undefined);
  const pid = child.pid ?? 0;
  const own = await readlink('/proc/self/ns/user');
  while ((await readlink(`/proc/${pid}/ns/user`)) === own) await sleep(POLL_MS);
  if (uid === null) await writeFile(`/proc/${pid}/setgroups`, 'deny');
  const map = await userMap(uid);
  await writeFile(`/proc/${pid}/uid_map`, map.users);
  await writeFile(`/proc/${pid}/gid_map`, map.groups);
  const user = uid === null ? null : await newUser(new Set([uid]));
  const [program = '', ...args] = isolated({
    uid: user,
    within: pid,
    reach: NO_REACH,
    command: ['true'],
    shown: [],
    home: null,
    aliases: [],
    resolver: null,
    closed: [],
  });
  const tried = promisify(execFile)(program, args, { cwd: '/', timeout: PLACE_MS });
  tried.child.stdin?.on('error', () => undefined).end('\n');
  await tried;
  requests.write('\n');
}

/**
 * Lets the process that waits for a fork in a sandbox start as the agent server on its own, if there is one.
 * @param first the first process of the sandbox's namespace
 */
export async function goOnAlone(first: number): Promise<void> {
  const waiting = await waitingIn(first);
  if (waiting !== null) signal(waiting, 'SIGUSR2');
}

/** The process that waits in a sandbox, once it does; null when there is none any more. */
async function placeIn(first: number): Promise<number | null> {
  const until = performance.now() + PLACE_MS;
  while (performance.now() < until && (await startOf(first)) !== null) {
    const pid = await waitingIn(first);
    if (pid !== null) return pid;
    await sleep(POLL_MS);
  }
  return null;
}

async function waitingIn(first: number): Promise<number | null> {
  const pid = await commandOfNamespace(first);
  const name = pid === null ? '' : await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
  return name.trim() === WAITS ? pid : null;
}

function homeIn(folder: string): string {
  return join(folder, 'home');
}

function variables(role: 'serve' | 'wait', folder: string): Record<string, string> {
  // Code that a sandbox left in its folder must not run in the shared fork server.
  return { AGENT_SERVER_FORKS: role, PYTHONPATH: folder, PYTHONNOUSERSITE: '1' };
}

async function within<T>(ms: number, what: Promise<T>): Promise<T> {
  const gaveUp = new AbortController();
  const late = sleep(ms, undefined, { signal: gaveUp.signal, ref: false }).then(() => {
    throw new Error('it does not answer');
  });
  try {
    return await Promise.race([what, late]);
  } finally {
    gaveUp.abort();
    late.catch(() => undefined);
  }
}
