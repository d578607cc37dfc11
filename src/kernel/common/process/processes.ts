import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const onLinux = process.platform === 'linux';
const POLL_MS = 20;

/** A process of a Linux system that is alive: its program's name, and when it started. */
interface LinuxProcess {
  readonly name: string;
  readonly start: string;
}

/**
 * When a process started, as the system writes it: together with the pid it identifies a process for good.
 * @returns null when there is none; a zombie, dead but not yet collected by its parent, counts as none
 */
export async function startOf(pid: number): Promise<string | null> {
  if (onLinux) return (await linuxProcess(pid))?.start ?? null;
  try {
    const { stdout } = await run('ps', ['-o', 'stat=,lstart=', '-p', String(pid)]);
    const [state, ...start] = stdout.trim().split(/\s+/);
    return state === undefined || isDeadState(state) ? null : start.join(' ');
  } catch {
    return null;
  }
}

/** The scope in which pids are unique: this boot of this machine, and the container's pid namespace. */
export async function processSpace(): Promise<string> {
  if (!onLinux) return process.platform;
  const [boot, numbering] = await Promise.all([
    readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
    readlink('/proc/self/ns/pid'),
  ]);
  return `${boot.trim()} ${numbering}`;
}

/**
 * The first process of the namespace for processes that a process on its way makes: its child. Linux only.
 * @returns null when the process ended
 */
export async function firstOfNamespace(pid: number): Promise<number | null> {
  const here = (await numbersOf(process.pid)).length;
  while ((await startOf(pid)) !== null) {
    for (const child of await childrenOf(pid)) {
      const numbers = await numbersOf(child);
      if (numbers.length > here && numbers.at(-1) === 1) return child;
    }
    await sleep(POLL_MS);
  }
  return null;
}

/**
 * The command that a process runs in a namespace for processes of its own: the second of that, whose first only watches over it,
 * as `bwrap` has it. Linux only.
 * @param around one that it descends from, in the namespace around
 * @returns null where there is none, or none any more
 */
export async function commandOfNamespace(around: number): Promise<number | null> {
  const outside = (await numbersOf(around)).length;
  const search = async (parent: number): Promise<number | null> => {
    for (const child of await childrenOf(parent)) {
      const numbers = await numbersOf(child);
      if (numbers.length > outside && numbers.at(-1) === 2) return child;
      const below = await search(child);
      if (below !== null) return below;
    }
    return null;
  };
  return search(around);
}

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return text.split(' ').filter(Boolean).map(Number);
}

/** The numbers that a process has in the namespaces that it is in, the outermost first. */
async function numbersOf(pid: number): Promise<number[]> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return (/^NSpid:\s*(.*)$/m.exec(status)?.[1] ?? '').split(/\s+/).filter(Boolean).map(Number);
}

/** Waits until all the processes have ended. @returns false when some are left at the time-out */
export async function waitUntilGone(pids: readonly number[], timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const starts = await Promise.all(pids.map(startOf));
    if (starts.every((start) => start === null)) return true;
    if (performance.now() > deadline) return false;
    await sleep(POLL_MS);
  }
}

/**
 * Sends a signal; that the process is gone already is not an error.
 * @param pid a process, or the negated id of a process group
 */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    const isGone = typeof error === 'object' && error !== null && 'code' in error && error.code === 'ESRCH';
    if (!isGone) throw error;
  }
}

/** A living process, read from `/proc`; null when there is none, or only a zombie. */
export async function linuxProcess(pid: number): Promise<LinuxProcess | null> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8');
    const end = text.lastIndexOf(')'); // the name may itself contain spaces and brackets
    const fields = text.slice(end + 2).split(' ');
    const [state, start] = [fields[0], fields[19]];
    if (state === undefined || start === undefined || isDeadState(state)) return null;
    return { name: text.slice(text.indexOf('(') + 1, end), start };
  } catch {
    return null;
  }
}

/** Whether a process state, as `ps` and `/proc` write it, is that of a zombie or a dead process. */
export function isDeadState(state: string): boolean {
  return state.startsWith('Z') || state.startsWith('X');
}
