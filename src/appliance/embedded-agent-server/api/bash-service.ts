import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { resolve as resolvePath } from 'node:path';
import { z } from 'zod';
import { hexOf, messageOf } from '../../../kernel/common';

/** Longer output is cut into several events. */
const MAX_CHUNK = 1024 * 1024;
/** Events kept in memory; the oldest go first. */
const MAX_EVENTS = 500;
const MAX_KEPT_CHARS = 32 * MAX_CHUNK;
const KILL_AFTER_MS = 1_000;

/** All of the environment that commands see: nothing of the service's settings and keys. */
const PASSED_ON = ['PATH', 'HOME', 'USER', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'SSL_CERT_FILE', 'SSL_CERT_DIR'];
const PASSED_ON_GIT = /^(GIT_|(https?|no|all)_proxy$)/i;

export const bashRequestSchema = z.object({
  command: z.string(),
  cwd: z.string().nullish(),
  timeout: z.number().int().positive().default(300),
});
type BashRequest = z.infer<typeof bashRequestSchema>;

interface BashEventBase {
  readonly id: string;
  readonly timestamp: string;
}

interface BashCommandEvent extends BashEventBase {
  readonly command: string;
  readonly cwd: string | null;
  readonly timeout: number;
  readonly kind: 'BashCommand';
}

interface BashOutputEvent extends BashEventBase {
  readonly command_id: string;
  readonly order: number;
  readonly exit_code: number | null;
  readonly stdout: string | null;
  readonly stderr: string | null;
  readonly kind: 'BashOutput';
}

export type BashEvent = BashCommandEvent | BashOutputEvent;

/** Runs shell commands in the sandbox's folder and keeps their output. */
export class BashService {
  private readonly events: BashEvent[] = [];
  private readonly subscribers = new Set<(event: BashEvent) => void>();
  private readonly running = new Set<Shell>();

  /** @param folder where commands run that name no other */
  constructor(private readonly folder: string) {}

  all(): readonly BashEvent[] {
    return this.events;
  }

  clear(): number {
    return this.events.splice(0).length;
  }

  /** @returns what ends it */
  subscribe(subscriber: (event: BashEvent) => void): () => void {
    this.subscribers.add(subscriber);
    return () => this.subscribers.delete(subscriber);
  }

  /** Starts a command. @returns its event, and its last output once it has ended */
  start(request: BashRequest): { command: BashCommandEvent; done: Promise<BashOutputEvent> } {
    const command: BashCommandEvent = {
      ...base(),
      command: request.command,
      cwd: request.cwd ?? null,
      timeout: request.timeout,
      kind: 'BashCommand',
    };
    this.publish(command);
    return { command, done: this.execute(command) };
  }

  /** Kills what runs. */
  close(): void {
    for (const shell of this.running) signalGroup(shell, 'SIGKILL');
  }

  private execute(command: BashCommandEvent): Promise<BashOutputEvent> {
    let order = 0;
    const output = (fields: Partial<BashOutputEvent>): BashOutputEvent => {
      const empty = { exit_code: null, stdout: null, stderr: null };
      const ids = { ...base(), command_id: command.id, order: order++ };
      const event: BashOutputEvent = { ...ids, ...empty, ...fields, kind: 'BashOutput' };
      this.publish(event);
      return event;
    };
    const failed = (error: unknown): BashOutputEvent => {
      const reason = messageOf(error);
      return output({ exit_code: -1, stderr: `Error executing command: ${reason}` });
    };
    try {
      const shell = this.spawn(command);
      return new Promise((resolve) => this.watchProcess(shell, command.timeout, output, failed, resolve));
    } catch (error) {
      // Characters that no shell takes, such as NUL.
      return Promise.resolve(failed(error));
    }
  }

  private spawn(command: BashCommandEvent): Shell {
    return spawn('bash', ['-c', command.command], {
      cwd: resolvePath(this.folder, command.cwd ?? '.'),
      env: cleanEnvironment(process.env),
      stdio: ['ignore', 'pipe', 'pipe'],
      // A process group of its own, so that a time limit ends all that it started.
      detached: true,
    });
  }

  /** Follows a shell to its end, or ends it at its time limit. */
  private watchProcess(
    shell: Shell,
    timeoutSeconds: number,
    output: (fields: Partial<BashOutputEvent>) => BashOutputEvent,
    failed: (error: unknown) => BashOutputEvent,
    resolve: (last: BashOutputEvent) => void,
  ): void {
    this.running.add(shell);
    const rest = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      shell[name].setEncoding('utf8').on('data', (text: string) => {
        rest[name] += text;
        while (rest[name].length > MAX_CHUNK) {
          output({ [name]: rest[name].slice(0, MAX_CHUNK) });
          rest[name] = rest[name].slice(MAX_CHUNK);
        }
      });
    }
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      signalGroup(shell, 'SIGTERM');
      killTimer = setTimeout(() => {
        signalGroup(shell, 'SIGKILL');
        shell.stdout.destroy();
        shell.stderr.destroy();
      }, KILL_AFTER_MS);
    }, timeoutSeconds * 1000);
    let killTimer: NodeJS.Timeout | undefined;
    const end = (last: () => BashOutputEvent): void => {
      if (!this.running.delete(shell)) return;
      clearTimeout(timer);
      clearTimeout(killTimer);
      resolve(last());
    };
    shell.once('error', (error) => end(() => failed(error)));
    shell.once('close', (code) =>
      end(() =>
        output({
          exit_code: timedOut ? -1 : (code ?? -1),
          stdout: rest.stdout || null,
          stderr: rest.stderr || null,
        }),
      ),
    );
  }

  private publish(event: BashEvent): void {
    this.events.push(event);
    let chars = this.events.reduce((sum, one) => sum + sizeOf(one), 0);
    while (this.events.length > MAX_EVENTS || (chars > MAX_KEPT_CHARS && this.events.length > 1)) {
      const dropped = this.events.shift();
      if (dropped) chars -= sizeOf(dropped);
    }
    for (const subscriber of this.subscribers) subscriber(event);
  }
}

type Shell = ChildProcessByStdio<null, Readable, Readable>;

function signalGroup({ pid }: Shell, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has ended by itself.
  }
}

function sizeOf(event: BashEvent): number {
  if (event.kind === 'BashCommand') return event.command.length;
  return (event.stdout?.length ?? 0) + (event.stderr?.length ?? 0);
}

function base(): BashEventBase {
  return { id: hexOf(randomUUID()), timestamp: new Date().toISOString() };
}

function cleanEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const passed = Object.entries(env).filter(([name]) => PASSED_ON.includes(name) || PASSED_ON_GIT.test(name));
  return { GIT_TERMINAL_PROMPT: '0', ...Object.fromEntries(passed) };
}
