import type { ChildProcess } from 'node:child_process';
import { readdir, readlink } from 'node:fs/promises';
import { sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const BETWEEN_LOOKS_MS = 5;

/** One that the system itself holds up, on a disk that does not answer, ends when it lets go. */
const PATIENCE_MS = 5_000;

/**
 * Ends all processes whose working folder is one of these or below. Looks until nothing is left: what is about
 * to be killed can have started another one. Elsewhere than on Linux nobody knows where processes work.
 * @param folders as the system knows them: without symbolic links
 */
export async function killProcessesIn(folders: readonly string[]): Promise<void> {
  if (process.platform !== 'linux') return;
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await lookOnce(folders)) && performance.now() < deadline) await sleep(BETWEEN_LOOKS_MS);
}

/** @returns whether it is sure that nothing was there */
async function lookOnce(folders: readonly string[]): Promise<boolean> {
  // Too many open files, for example: looked at again.
  const names = await readdir('/proc').catch(() => null);
  let isEmpty = names !== null;
  for (const name of names ?? []) {
    if (!/^\d+$/.test(name)) continue;
    const place = await readlink(`/proc/${name}/cwd`).catch(() => '');
    if (!folders.some((folder) => place === folder || place.startsWith(folder + sep))) continue;
    isEmpty = false;
    kill(Number(name));
  }
  return isEmpty;
}

/** Ends the process group that a process leads or led. */
export function killGroup({ pid }: ChildProcess): void {
  if (pid !== undefined) kill(-pid);
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
