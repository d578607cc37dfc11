import { rmSync } from 'node:fs';
import { readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { processSpace, StartError, startOf } from '../../kernel/common';

/** What a data folder is locked for: the service, or a command that needs the database briefly. */
export type Purpose = 'service' | 'command';

const holderSchema = z.object({
  pid: z.number().int(),
  start: z.string(),
  space: z.string(),
  purpose: z.enum(['service', 'command']),
});

/** The process that has locked a data folder. */
type Holder = z.infer<typeof holderSchema>;

const HEARTBEAT_MS = 1_000;
const STALE_MS = 5_000;
const COMMAND_WAIT_MS = 15_000;

/** The folder is locked by another process that is alive. */
export class DataDirInUseError extends StartError {
  constructor(dataDir: string, holder: Holder) {
    const who = holder.purpose === 'service' ? 'another run of the service' : 'a command';
    super(
      `DATA_DIR ${dataDir} is in use by ${who} (process ${holder.pid}). Stop that one, or set another DATA_DIR.`,
    );
  }
}

/**
 * Locks `DATA_DIR` for one process. The lock file names its holder by pid and start time, so the lock ends with the
 * process, even after `kill -9`. A holder that this process cannot see (in another container on the same volume)
 * counts as alive while its heartbeats touch the file.
 */
export class DataDirLock {
  private constructor(
    private readonly file: string,
    private readonly heartbeat: NodeJS.Timeout,
    private readonly onExit: () => void,
  ) {}

  /**
   * Waits while a command holds the lock, but not while another service does.
   * @throws DataDirInUseError
   */
  static async take(dataDir: string, purpose: Purpose): Promise<DataDirLock> {
    const file = lockFile(dataDir);
    const [start, space] = await Promise.all([startOf(process.pid), processSpace()]);
    const own: Holder = { pid: process.pid, start: start ?? '', space, purpose };
    const deadline = performance.now() + COMMAND_WAIT_MS;
    while (!(await create(file, own))) {
      const holder = await holderOf(dataDir);
      if (holder === null) await removeStale(file, dataDir);
      else if (holder.purpose === 'service' || performance.now() > deadline)
        throw new DataDirInUseError(dataDir, holder);
      else await sleep(50);
    }
    const heartbeat = setInterval(() => void touch(file), HEARTBEAT_MS).unref();
    const onExit = (): void => rmSync(file, { force: true });
    process.once('exit', onExit);
    return new DataDirLock(file, heartbeat, onExit);
  }

  /** Removes the lock. */
  async release(): Promise<void> {
    clearInterval(this.heartbeat);
    process.off('exit', this.onExit);
    await rm(this.file, { force: true });
  }
}

/** The living process that has locked the folder, or null. */
export async function holderOf(dataDir: string): Promise<Holder | null> {
  const file = lockFile(dataDir);
  const holder = await readHolder(file);
  if (holder === null) return null;
  if (holder.space === (await processSpace()))
    return (await startOf(holder.pid)) === holder.start ? holder : null;
  return (await hasHeartbeat(file)) ? holder : null;
}

/** A holder that cannot be seen may have died right after its last heartbeat: only the next one proves it alive. */
async function hasHeartbeat(file: string): Promise<boolean> {
  const first = await lastHeartbeat(file);
  let last = first;
  while (last !== null && last === first && Date.now() - last < STALE_MS) {
    await sleep(100);
    last = await lastHeartbeat(file);
  }
  return last !== null && last !== first;
}

function lockFile(dataDir: string): string {
  return join(dataDir, 'postgres.lock');
}

async function create(file: string, holder: Holder): Promise<boolean> {
  try {
    await writeFile(file, JSON.stringify(holder), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw new StartError(`DATA_DIR cannot be written: ${String(error)}`, { cause: error });
  }
}

/** The file is empty for an instant between its creation and the write; one that stays empty is left from a crash. */
async function readHolder(file: string): Promise<Holder | null> {
  const deadline = performance.now() + 500;
  for (;;) {
    try {
      const text = await readFile(file, 'utf8');
      if (text !== '') return holderSchema.parse(JSON.parse(text));
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof z.ZodError) return null;
      if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT')
        return null;
      throw new StartError(`DATA_DIR cannot be read: ${String(error)}`, { cause: error });
    }
    if (performance.now() > deadline) return null;
    await sleep(20);
  }
}

/** Renames the stale file first: of two processes that see it one wins, and a fresh lock is put back. */
async function removeStale(file: string, dataDir: string): Promise<void> {
  const aside = `${file}.${process.pid}`;
  try {
    await rename(file, aside);
  } catch {
    return;
  }
  const moved = await readHolder(aside);
  const alive = moved !== null && (await startOf(moved.pid)) === moved.start;
  if (alive && moved.space === (await processSpace())) {
    await rename(aside, file);
    throw new DataDirInUseError(dataDir, moved);
  }
  await rm(aside, { force: true });
}

async function lastHeartbeat(file: string): Promise<number | null> {
  try {
    return (await stat(file)).mtimeMs;
  } catch {
    return null;
  }
}

async function touch(file: string): Promise<void> {
  const now = new Date();
  await utimes(file, now, now).catch(() => undefined);
}
