/**
 * Starts git on behalf of the service, in a process of its own. Forking copies the page tables of the parent: in
 * the service that blocks the event loop for some milliseconds, here it costs next to nothing. Everything started
 * here has a low priority and ends with the service, even if that is killed. Only run, never imported: all of this is
 * about the process that it runs in.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import type { GitRequest, GitReport } from './git-requests';
import { killGroup, killProcessesIn } from './killed-processes';

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
