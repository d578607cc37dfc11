/**
 * Starts git for the service, as a process of its own. To start a program, the system copies the tables of
 * the memory of the process that asks: in the service that is some milliseconds in which it answers nobody,
 * here it is next to nothing. All that is started here has a low priority and ends with the service, even if
 * that is killed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import type { GitRequest, GitReport } from './git-requests';
import { killGroup, killProcessesIn } from './kill-processes';

type RunOrder = Extract<GitRequest, { kind: 'run' }>;

/** Background work: answers to other requests go first. */
const NICENESS = 5;
const KEPT_MESSAGE_BYTES = 8 * 1024;

/**
 * Linux shares the processors out among sessions before it looks at priorities, so all git stays in the one
 * of this process; what belongs to one git is known by its working folder. Elsewhere each git has a process
 * group, which takes a session.
 */
const knowsFolders = process.platform === 'linux';

const running = new Map<number, { readonly child: ChildProcess; readonly folder: string }>();

function obey(order: unknown): void {
  if (!isOrder(order)) return;
  if (order.kind === 'run') run(order);
  else void stop([order.id]);
}

/** Runs git; its end is reported once no process of it holds an output. */
function run(order: RunOrder): void {
  try {
    follow(order, start(order));
  } catch (error) {
    // Most of what can be wrong is an event, but too little memory or too long an argument is thrown.
    report({ kind: 'unstarted', id: order.id, why: error instanceof Error ? error.message : String(error) });
  }
}

function start({ args, env, cwd, wantsOutput }: RunOrder): ChildProcess {
  return spawn('git', args, {
    cwd,
    env,
    detached: !knowsFolders,
    stdio: ['pipe', wantsOutput ? 'pipe' : 'ignore', 'pipe'],
  });
}

function follow({ id, cwd, input }: RunOrder, child: ChildProcess): void {
  running.set(id, { child, folder: cwd });
  let messages = Buffer.alloc(0);
  child.stderr?.on('data', (chunk: Buffer) => {
    messages = Buffer.concat([messages, chunk]).subarray(-KEPT_MESSAGE_BYTES);
  });
  child.stdout?.on('data', (chunk: Buffer) => {
    // The next one when this one is on its way: what nobody takes must not pile up here.
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

/** Ends these, together with all they started. */
async function stop(ids: readonly number[]): Promise<void> {
  const some = ids.flatMap((id) => running.get(id) ?? []);
  for (const { child } of some)
    if (knowsFolders) child.kill('SIGKILL');
    else killGroup(child);
  await killProcessesIn(some.map(({ folder }) => folder));
}

function isOrder(message: unknown): message is GitRequest {
  return typeof message === 'object' && message !== null && 'kind' in message;
}

/** What the system does not allow makes it slower for others, nothing worse. */
function giveWay(): void {
  try {
    setPriority(NICENESS);
    if (knowsFolders) writeFileSync('/proc/self/autogroup', String(NICENESS));
  } catch {
    // As it was.
  }
}

giveWay();
process.on('message', obey);
process.once('disconnect', () => {
  void stop([...running.keys()]).finally(() => {
    process.exit();
  });
});
