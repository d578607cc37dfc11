import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { RegistrationProblem } from '../registration-problem';

/** Background work: answers to other requests go first. */
const NICENESS = 5;
const KEPT_MESSAGE_BYTES = 8 * 1024;

export interface GitCommand {
  readonly args: readonly string[];
  /** The whole environment: nothing of the service's own is handed down. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Ends git, together with all it started. */
  readonly signal: AbortSignal;
  readonly input?: string;
  /** Gets what git prints; when it throws, git is ended and the error passed on. */
  readonly onOutput?: (chunk: Buffer) => void;
}

export interface GitOutcome {
  readonly ok: boolean;
  /** The end of what git said on its error output. Holds a stranger's words: never for an answer. */
  readonly messages: string;
}

/**
 * Runs git in a process group of its own.
 * @returns once no process of the group holds an output any more
 * @throws the signal's reason, or what `onOutput` threw
 */
export async function runGit(command: GitCommand): Promise<GitOutcome> {
  command.signal.throwIfAborted();
  const child = spawn('git', command.args, {
    cwd: command.cwd,
    env: command.env,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let failure: { readonly error: unknown } | null = null;
  const stop = (error: unknown) => {
    failure ??= { error };
    killGroup(child.pid);
  };
  const onAbort = () => stop(command.signal.reason);
  command.signal.addEventListener('abort', onAbort, { once: true });
  lowerPriority(child.pid);

  let messages = Buffer.alloc(0);
  child.stderr.on('data', (chunk: Buffer) => {
    messages = Buffer.concat([messages, chunk]).subarray(-KEPT_MESSAGE_BYTES);
  });
  child.stdout.on('data', (chunk: Buffer) => {
    if (failure) return;
    try {
      command.onOutput?.(chunk);
    } catch (error) {
      stop(error);
    }
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(command.input ?? '');

  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', (cause) => reject(new RegistrationProblem('git could not be started', { cause })));
      child.once('close', resolve);
    });
    throwIfSet(failure);
    return { ok: code === 0, messages: messages.toString() };
  } finally {
    command.signal.removeEventListener('abort', onAbort);
  }
}

function throwIfSet(failure: { readonly error: unknown } | null): void {
  if (failure) throw failure.error;
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

function lowerPriority(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, NICENESS);
  } catch {
    // It has ended already, or the system does not allow it: slower for others, nothing worse.
  }
}
