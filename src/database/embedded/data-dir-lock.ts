import { rmSync } from 'node:fs';
import { readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { processSpace, StartError, startOf } from '../../common';

/** Who holds a data folder: the service, or a command that needs the database for a moment. */
export type Purpose = 'service' | 'command';

const holderSchema = z.object({
  pid: z.number().int(),
  start: z.string(),
  space: z.string(),
  purpose: z.enum(['service', 'command']),
});

/** The process that holds a data folder. */
export type Holder = z.infer<typeof holderSchema>;

const BEAT_MS = 1_000;
const STALE_MS = 5_000;
const COMMAND_WAIT_MS = 15_000;

/** The folder is in use by another process that is alive. */
export class DataDirInUseError extends StartError {
  constructor(dataDir: string, holder: Holder) {
    const who = holder.purpose === 'service' ? 'another run of the service' : 'a command';
    super(
      `DATA_DIR ${dataDir} is in use by ${who} (process ${holder.pid}). Stop that one, or set another DATA_DIR.`,
    );
  }
}

/**
 * Holds `DATA_DIR` for one process. The lock names its holder by process number and start time, so it ends with
 * the process, however that ends. A holder that this process cannot see (another container on the same
 * volume) counts as alive while it keeps touching the file.
 */
export class DataDirLock {
  private constructor(
    private readonly file: string,
    private readonly beat: NodeJS.Timeout,
    private readonly onExit: () => void,
  ) {}

  /**
   * Waits for a command that holds the folder, never for another service.
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
    const beat = setInterval(() => void touch(file), BEAT_MS).unref();
    const onExit = (): void => rmSync(file, { force: true });
    process.once('exit', onExit);
    return new DataDirLock(file, beat, onExit);
  }

  /** Lets the next one in. */
  async release(): Promise<void> {
    clearInterval(this.beat);
    process.off('exit', this.onExit);
    await rm(this.file, { force: true });
  }
}

/** The living process that holds the folder, or null. */
export async function holderOf(dataDir: string): Promise<Holder | null> {
  const file = lockFile(dataDir);
  const holder = await readHolder(file);
  if (holder === null) return null;
  if (holder.space === (await processSpace()))
    return (await startOf(holder.pid)) === holder.start ? holder : null;
  return (await beatsStill(file)) ? holder : null;
}

/** A holder out of sight may have died a moment after its last touch: only the next touch tells. */
async function beatsStill(file: string): Promise<boolean> {
  const first = await lastBeat(file);
  let last = first;
  while (last !== null && last === first && Date.now() - last < STALE_MS) {
    await sleep(100);
    last = await lastBeat(file);
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

/** Between creation and writing the file is empty for an instant; one that stays so was left by a crash. */
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

/** Moves the stale file away first: of two that see it, one wins, and a fresh lock is put back. */
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

async function lastBeat(file: string): Promise<number | null> {
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
