import type { ChildProcess } from 'node:child_process';
import { readdir, readlink } from 'node:fs/promises';
import { sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const SCAN_INTERVAL_MS = 5;

/** A process in uninterruptible sleep, on a disk that does not respond, is not waited for longer than this. */
const TIMEOUT_MS = 5_000;

/**
 * Kills all processes whose working folder is one of these or below. Scans until none is left, since a process may
 * start another one right before it is killed. Does nothing outside Linux, where working folders are not known.
 * @param folders real paths, without symbolic links
 */
export async function killProcessesIn(folders: readonly string[]): Promise<void> {
  if (process.platform !== 'linux') return;
  const deadline = performance.now() + TIMEOUT_MS;
  while (!(await scanOnce(folders)) && performance.now() < deadline) await sleep(SCAN_INTERVAL_MS);
}

/** @returns whether there certainly was no such process */
async function scanOnce(folders: readonly string[]): Promise<boolean> {
  // A failure, such as too many open files, leads to another scan.
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

/** Kills the process group that a process leads or led. */
export function killGroup({ pid }: ChildProcess): void {
  if (pid !== undefined) kill(-pid);
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}
