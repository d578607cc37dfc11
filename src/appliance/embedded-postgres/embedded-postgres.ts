import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { StartError } from '../../kernel/common';
import { findBinaries } from './binaries';
import { dataFolder, openCluster } from './cluster';
import { DataDirInUseError, DataDirLock, holderOf, type Purpose } from './data-dir-lock';
import { Postmaster, type ServerSetup, stopLeftovers } from './postmaster';
import { prepareRoles } from './roles';
import { serverUserFor } from './server-user';
import { isPrivate, removeLeftover, SocketFolder, socketFolderIn } from './socket-folder';

/** The log of the launcher. */
export interface LauncherLog {
  info(message: string): void;
  warn(message: string): void;
}

/** How to start the server. */
export interface EmbeddedPostgresOptions {
  /** `DATA_DIR`; created when missing. */
  readonly dataDir: string;
  readonly log: LauncherLog;
  /** The service waits for a command to finish; nothing waits for the service. */
  readonly purpose?: Purpose;
  /** Whether it is started where it does not run; default: true. */
  readonly mayStart?: boolean;
  /** PostgreSQL settings of this server. */
  readonly settings?: Readonly<Record<string, string>>;
  /**
   * Called whenever `initdb` or the server was started and is waited for: what the caller does meanwhile, on another
   * core, takes no time of the start.
   */
  readonly onSpawn?: () => void;
}

/** A running server. */
export interface EmbeddedPostgres {
  /** Connection string of the service's role, which is no superuser; stays the same when the server is restarted. */
  readonly url: string;
  /** Resolves if the server died and could not be restarted. */
  readonly lost: Promise<StartError>;
  /** Stops the server and unlocks the folder. */
  stop(): Promise<void>;
}

const runningSchema = z.object({ pid: z.number(), url: z.url() });
const CONNECT_MS = 60_000;
const RESTARTS_PER_MINUTE = 5;

/**
 * Starts the PostgreSQL that npm installed, in `DATA_DIR`. First stops what an earlier run left behind; a server
 * that dies is restarted at the same address.
 * @throws DataDirInUseError, StartError with one sentence for the operator
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  await mkdir(dataDir, { recursive: true }).catch((error: unknown) => {
    throw new StartError(`DATA_DIR cannot be created: ${String(error)}`, { cause: error });
  });
  const lock = await DataDirLock.take(dataDir, options.purpose ?? 'service');
  try {
    const running = runningFile(dataDir);
    const killed = await readRunning(dataDir).catch(() => null);
    await rm(running, { force: true });
    const home = join(dataDir, 'postgres');
    const user = await serverUserFor(home);
    const binaries = await findBinaries(user, dataDir);
    if (await stopLeftovers(dataFolder(home)))
      options.log.warn('Stopped the PostgreSQL that an earlier run left behind.');
    if (killed !== null) await removeLeftover(killed.url, user);
    const { onSpawn } = options;
    const folder = await openCluster(home, binaries, user, options);
    const socket = await SocketFolder.open(folder, user, (message) => options.log.warn(message));
    const settings = { cluster_name: dataDir.slice(-60), ...options.settings };
    const setup = { binaries, user, folder, socket, settings, ...(onSpawn && { onSpawn }) };
    options.log.info('Starting PostgreSQL.');
    const supervisor = await Supervisor.start(setup, options.log);
    const url = await announce(home, running, socket).catch(async (error: unknown) => {
      await supervisor.stop();
      throw error;
    });
    let stopped: Promise<void> | undefined;
    const stop = async (): Promise<void> => {
      await rm(running, { force: true });
      await supervisor.stop();
      await lock.release();
    };
    return { url, lost: supervisor.lost, stop: () => (stopped ??= stop()) };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** Writes down for commands where the server is. @returns the address of the service's role */
async function announce(home: string, running: string, socket: SocketFolder): Promise<string> {
  const url = await prepareRoles(home, socket);
  await writeFile(running, JSON.stringify({ pid: process.pid, url }), { mode: 0o600, flag: 'wx' });
  return url;
}

/**
 * Connects to the database of the service that is running with this `DATA_DIR`; if none is, starts the database
 * until the caller calls `stop`.
 * @throws StartError
 */
export async function connectEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  const deadline = performance.now() + CONNECT_MS;
  for (;;) {
    const holder = await holderOf(dataDir);
    if (holder === null) {
      if (options.mayStart === false) throw new StartError('The database does not run any more.');
      try {
        return await startEmbeddedPostgres({ ...options, purpose: 'command' });
      } catch (error) {
        if (!(error instanceof DataDirInUseError)) throw error;
      }
    } else if (performance.now() > deadline) throw new DataDirInUseError(dataDir, holder);
    else {
      const running = holder.purpose === 'service' ? await readRunning(dataDir) : null;
      if (running?.pid === holder.pid && (await isOfServer(running.url, dataDir)))
        return { url: running.url, lost: new Promise(() => undefined), stop: () => Promise.resolve() };
    }
    await sleep(50);
  }
}

function runningFile(dataDir: string): string {
  return join(dataDir, 'postgres.json');
}

async function readRunning(dataDir: string): Promise<z.infer<typeof runningSchema> | null> {
  try {
    return runningSchema.parse(JSON.parse(await readFile(runningFile(dataDir), 'utf8')));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EACCES')
      throw new StartError(`The running service belongs to another user: ${error.message}`);
    return null; // not written yet
  }
}

/**
 * Whether an address is of a folder that only the server can listen in: the file may be of an earlier run, of a process
 * with the same number.
 */
async function isOfServer(url: string, dataDir: string): Promise<boolean> {
  const folder = socketFolderIn(url);
  const home = await stat(join(dataDir, 'postgres')).catch(() => null);
  return folder !== null && home !== null && isPrivate(folder, home.uid);
}

/** Restarts a server that dies, at the same address. */
class Supervisor {
  readonly lost: Promise<StartError>;
  private lose: (error: StartError) => void = () => undefined;
  private stopping = false;
  private restarting: Promise<void> = Promise.resolve();
  private readonly restarts: number[] = [];

  private constructor(
    private readonly setup: ServerSetup,
    private readonly log: LauncherLog,
    private current: Postmaster,
  ) {
    this.lost = new Promise((resolve) => (this.lose = resolve));
    this.watch();
  }

  static async start(setup: ServerSetup, log: LauncherLog): Promise<Supervisor> {
    try {
      return new Supervisor(setup, log, await Postmaster.start(setup));
    } catch (error) {
      await setup.socket.close();
      throw error;
    }
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await this.restarting;
    await this.current.stop();
    await this.setup.socket.close();
  }

  private watch(): void {
    void this.current.ended.then(() => {
      if (!this.stopping) this.restarting = this.restart();
    });
  }

  private async restart(): Promise<void> {
    const now = performance.now();
    this.restarts.push(now);
    if (this.restarts.filter((time) => now - time < 60_000).length > RESTARTS_PER_MINUTE) {
      this.lose(new StartError('The embedded PostgreSQL keeps dying; it is not started again.'));
      return;
    }
    this.log.warn('The embedded PostgreSQL ended unexpectedly; starting it again.');
    try {
      await stopLeftovers(this.setup.folder);
      this.current = await Postmaster.start(this.setup);
      this.watch();
      this.log.info('The embedded PostgreSQL runs again.');
    } catch (error) {
      if (this.stopping) return;
      this.lose(new StartError('The embedded PostgreSQL ended and does not start again.', { cause: error }));
    }
  }
}
