import { execFile } from 'node:child_process';
import { readdir, readFile, readlink, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const onLinux = process.platform === 'linux';

/**
 * When a process started, in the system's own terms: together with its number it names a process for good.
 * @returns null when there is none; a zombie, dead but not yet collected by its parent, counts as none
 */
export async function startOf(pid: number): Promise<string | null> {
  if (onLinux) {
    const fields = await linuxStat(pid);
    return fields === null || isDead(fields.state) ? null : fields.start;
  }
  try {
    const { stdout } = await run('ps', ['-o', 'stat=,lstart=', '-p', String(pid)]);
    const [state, ...start] = stdout.trim().split(/\s+/);
    return state === undefined || isDead(state) ? null : start.join(' ');
  } catch {
    return null;
  }
}

/** Where process numbers have a meaning: this boot of this machine, and the container's own numbering. */
export async function processSpace(): Promise<string> {
  if (!onLinux) return process.platform;
  const [boot, numbering] = await Promise.all([
    readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
    readlink('/proc/self/ns/pid'),
  ]);
  return `${boot.trim()} ${numbering}`;
}

/** The living processes of a PostgreSQL server that runs in this data folder, as far as the system tells. */
export async function postgresProcessesIn(folder: string): Promise<number[]> {
  return onLinux ? linuxProcessesIn(folder) : otherProcessesIn(folder);
}

/** Waits until none of the processes lives. @returns whether that came true in time */
export async function waitUntilGone(pids: readonly number[], timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const starts = await Promise.all(pids.map(startOf));
    if (starts.every((start) => start === null)) return true;
    if (performance.now() > deadline) return false;
    await sleep(20);
  }
}

/** Sends a signal; a process that is gone already is no error. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

async function linuxProcessesIn(folder: string): Promise<number[]> {
  const home = await stat(folder);
  const numbers = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const living = await Promise.all(
    numbers.map(async (pid) => {
      const fields = await linuxStat(pid);
      if (fields?.name !== 'postgres' || isDead(fields.state)) return false;
      try {
        const cwd = await stat(`/proc/${pid}/cwd`);
        return cwd.dev === home.dev && cwd.ino === home.ino;
      } catch {
        return false; // it ended meanwhile, or belongs to someone else: not ours
      }
    }),
  );
  return numbers.filter((_, index) => living[index]);
}

async function otherProcessesIn(folder: string): Promise<number[]> {
  const { stdout } = await run('ps', ['-axo', 'pid=,stat=,command=']);
  return stdout.split('\n').flatMap((line) => {
    const [pid, state, ...command] = line.trim().split(/\s+/);
    const ours = command.join(' ').includes(`/postgres -D ${folder} `);
    return ours && state !== undefined && !isDead(state) ? [Number(pid)] : [];
  });
}

async function linuxStat(pid: number): Promise<{ name: string; state: string; start: string } | null> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8');
    const end = text.lastIndexOf(')'); // the name may itself hold spaces and brackets
    const fields = text.slice(end + 2).split(' ');
    const [state, start] = [fields[0], fields[19]];
    if (state === undefined || start === undefined) return null;
    return { name: text.slice(text.indexOf('(') + 1, end), state, start };
  } catch {
    return null;
  }
}

function isDead(state: string): boolean {
  return state.startsWith('Z') || state.startsWith('X');
}
