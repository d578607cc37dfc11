/**
 * Starts git on behalf of the service, in a process of its own. Forking copies the page tables of the parent: in
 * the service that blocks the event loop for some milliseconds, here it costs next to nothing. Everything started
 * here has a low priority and ends with the service, even if that is killed.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import type { GitRequest, GitReport } from './git-requests';
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

type RunRequest = Extract<GitRequest, { kind: 'run' }>;

/** Background work: other requests have priority. */
const NICENESS = 5;
const MAX_MESSAGE_BYTES = 8 * 1024;

/**
 * Linux schedules by session before it looks at priorities, so all git processes stay in the session of this one;
 * which of them belong to one git is known by their working folder. Elsewhere each git has a process group of its
 * own, which requires a session.
 */
const findsByFolder = process.platform === 'linux';

const running = new Map<number, { readonly child: ChildProcess; readonly folder: string }>();

function handle(message: unknown): void {
  if (!isRequest(message)) return;
  if (message.kind === 'run') run(message);
  else void stop([message.id]);
}

/** Runs git; its end is reported once none of its processes has an output open. */
function run(request: RunRequest): void {
  try {
    follow(request, start(request));
  } catch (error) {
    // Most failures are events, but too little memory or too long an argument throws.
    report({
      kind: 'unstarted',
      id: request.id,
      why: error instanceof Error ? error.message : String(error),
    });
  }
}

function start({ args, env, cwd, wantsOutput }: RunRequest): ChildProcess {
  return spawn('git', args, {
    cwd,
    env,
    detached: !findsByFolder,
    stdio: ['pipe', wantsOutput ? 'pipe' : 'ignore', 'pipe'],
  });
}

function follow({ id, cwd, input }: RunRequest, child: ChildProcess): void {
  running.set(id, { child, folder: cwd });
  let messages = Buffer.alloc(0);
  child.stderr?.on('data', (chunk: Buffer) => {
    messages = Buffer.concat([messages, chunk]).subarray(-MAX_MESSAGE_BYTES);
  });
  child.stdout?.on('data', (chunk: Buffer) => {
    // Backpressure: read the next chunk only once this one is sent.
    child.stdout?.pause();
    report({ kind: 'output', id, chunk }, () => child.stdout?.resume());
  });
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(input);
  child.once('error', (error) => {
    if (running.delete(id)) report({ kind: 'unstarted', id, why: error.message });
  });
  child.once('close', (code) => {
    if (running.delete(id)) report({ kind: 'end', id, code, messages: messages.toString() });
  });
}

function report(message: GitReport, then: () => void = () => undefined): void {
  process.send?.(message, undefined, undefined, then);
}

/** Kills these, together with all processes they started. */
async function stop(ids: readonly number[]): Promise<void> {
  const some = ids.flatMap((id) => running.get(id) ?? []);
  for (const { child } of some)
    if (findsByFolder) child.kill('SIGKILL');
    else killGroup(child);
  await killProcessesIn(some.map(({ folder }) => folder));
}

function isRequest(message: unknown): message is GitRequest {
  return typeof message === 'object' && message !== null && 'kind' in message;
}

/** Without the permission for it, other requests only get slower. */
function lowerPriority(): void {
  try {
    setPriority(NICENESS);
    if (findsByFolder) writeFileSync('/proc/self/autogroup', String(NICENESS));
  } catch {
    // The priority stays as it is.
  }
}

lowerPriority();
process.on('message', handle);
process.once('disconnect', () => {
  void stop([...running.keys()]).finally(() => {
    process.exit();
  });
});
