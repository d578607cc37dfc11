import { type ChildProcess, spawn } from 'node:child_process';
import { lstat, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { signal, StartError, waitUntilGone } from '../../kernel/common';
import type { Binaries } from './binaries';
import { folderArgument, runAs } from './cluster';
import { postgresProcessesIn } from './process-table';
import type { ServerUser } from './server-user';
import type { SocketFolder } from './socket-folder';

/** The options of a server process. */
export interface ServerSetup {
  readonly binaries: Binaries;
  readonly user: ServerUser;
  readonly folder: string;
  readonly socket: SocketFolder;
  /** PostgreSQL settings in addition to {@link SETTINGS}. */
  readonly settings: Readonly<Record<string, string>>;
  /** Called when the server was started and is waited for. */
  readonly onSpawn?: () => void;
}

/** PostgreSQL's default durability (fsync, full pages, synchronous commit); little memory and disk. */
const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '',
  password_encryption: 'scram-sha-256',
  timezone: 'UTC',
  log_timezone: 'UTC',
  max_connections: '80',
  shared_buffers: '64MB',
  max_wal_size: '256MB',
  jit: 'off',
  huge_pages: 'off',
  max_logical_replication_workers: '0',
  log_min_messages: 'log', // the service reports failed statements; their text may contain secrets
  log_checkpoints: 'off',
};

const READY_MS = 60_000;
const FAST_MS = 2_500;
const IMMEDIATE_MS = 1_000;
const LAST_LINES = 12;

/** A server process, as a child of this one. */
export class Postmaster {
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;

  private constructor(
    private readonly child: ChildProcess,
    private readonly output: readonly string[],
  ) {
    this.ended = new Promise((resolve) => child.once('exit', () => resolve()));
  }

  /**
   * Starts the server and waits until it accepts connections. Its folder must not be in use (`stopLeftovers`).
   * @throws StartError with the end of the server's output
   */
  static async start(setup: ServerSetup): Promise<Postmaster> {
    await setup.socket.prepare();
    const settings = Object.entries({ ...SETTINGS, ...setup.socket.settings, ...setup.settings });
    const child = spawn(
      setup.binaries.postgres,
      [
        '-D',
        folderArgument(setup.user, setup.folder),
        ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      // In a session of its own, so that Ctrl-C reaches only the service, which stops the server last.
      { ...runAs(setup.user), cwd: setup.folder, detached: true, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    const output: string[] = [];
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output.push(...text.split('\n').filter((line) => line !== ''));
      output.splice(0, output.length - LAST_LINES);
    });
    await spawned(child);
    const postmaster = new Postmaster(child, output);
    const onExit = (): boolean => child.kill('SIGINT');
    process.once('exit', onExit);
    void postmaster.ended.then(() => process.off('exit', onExit));
    setup.onSpawn?.();
    await postmaster.ready(setup.folder);
    return postmaster;
  }

  /** Fast shutdown, or an immediate one (with recovery at the next start) when that takes too long. */
  async stop(): Promise<void> {
    for (const [name, timeoutMs] of [
      ['SIGINT', FAST_MS],
      ['SIGQUIT', IMMEDIATE_MS],
      ['SIGKILL', IMMEDIATE_MS],
    ] as const) {
      this.child.kill(name);
      if (await this.endedWithin(timeoutMs)) return;
    }
  }

  private async ready(folder: string): Promise<void> {
    const deadline = performance.now() + READY_MS;
    while (!(await this.isReady(folder))) {
      if (this.child.exitCode !== null || this.child.signalCode !== null) {
        await sleep(20); // the end of its output may still be in the pipe
        throw new StartError(`The embedded PostgreSQL did not start:\n${this.output.join('\n')}`);
      }
      if (performance.now() > deadline) {
        await this.stop();
        throw new StartError(`The embedded PostgreSQL was not ready in time:\n${this.output.join('\n')}`);
      }
      await sleep(15);
    }
  }

  private async isReady(folder: string): Promise<boolean> {
    const lines = (await readFile(pidFile(folder), 'utf8').catch(() => '')).split('\n');
    return Number(lines[0]) === this.child.pid && lines[7]?.trim() === 'ready';
  }

  private async endedWithin(ms: number): Promise<boolean> {
    const late = new AbortController();
    const ended = await Promise.race([
      this.ended.then(() => true),
      sleep(ms, false, { signal: late.signal, ref: false }).catch(() => false),
    ]);
    late.abort();
    return ended;
  }
}

/**
 * Stops what an earlier run left in the data folder: a server whose service died, or the children of a server that
 * died, and removes the pid file. The caller holds the folder's lock, so none of it is in use.
 * @returns whether a process was found
 * @throws StartError when one belongs to another user or does not end
 */
export async function stopLeftovers(folder: string): Promise<boolean> {
  if ((await lstat(folder).catch(() => null)) === null) return false;
  const left = await postgresProcessesIn(folder);
  const [leader] = (await readFile(pidFile(folder), 'utf8').catch(() => '')).split('\n').map(Number);
  const postmaster = left.filter((pid) => pid === leader);
  const gone =
    (await ended(postmaster, 'SIGINT', FAST_MS)) &&
    (await ended(await postgresProcessesIn(folder), 'SIGKILL', IMMEDIATE_MS));
  if (!gone && !(await ended(await postgresProcessesIn(folder), 'SIGKILL', 5 * IMMEDIATE_MS)))
    throw new StartError(`Processes of an earlier run still use ${folder}: ${left.join(', ')}.`);
  await rm(pidFile(folder), { force: true });
  return left.length > 0;
}

async function ended(pids: readonly number[], name: NodeJS.Signals, timeoutMs: number): Promise<boolean> {
  for (const pid of pids) signal(pid, name);
  return waitUntilGone(pids, timeoutMs);
}

function spawned(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) =>
      reject(new StartError(`The embedded PostgreSQL cannot be run: ${error.message}`, { cause: error })),
    );
  });
}

function pidFile(folder: string): string {
  return join(folder, 'postmaster.pid');
}
