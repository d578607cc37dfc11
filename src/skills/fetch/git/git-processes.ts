import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { z } from 'zod';
import { findNodeScript } from '../../../common';
import { RegistrationProblem } from '../../registration/registration-problem';
import type { GitRequest, GitReport } from './git-requests';
import { killGroup } from './kill-processes';

/** What a stranger's repository can make one git take of memory; a usual one takes some MiB. */
const MEMORY_KIBIBYTES = 512 * 1024;

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

interface Run {
  readonly onOutput: (chunk: Buffer) => void;
  readonly end: (outcome: GitOutcome) => void;
  readonly fail: (problem: RegistrationProblem) => void;
}

const reportSchema: z.ZodType<GitReport> = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('output'),
    id: z.number(),
    chunk: z.custom<Uint8Array>((value) => ArrayBuffer.isView(value)),
  }),
  z.object({ kind: z.literal('end'), id: z.number(), code: z.number().nullable(), messages: z.string() }),
  z.object({ kind: z.literal('unstarted'), id: z.number(), why: z.string() }),
]);

/** Runs git, by way of a helper process (`git-helper.ts`) that is there from the first git on. */
@Injectable()
export class GitProcesses implements OnModuleDestroy {
  private readonly runs = new Map<number, Run>();
  private readonly ending = new Set<Promise<unknown>>();
  private helper: ChildProcess | null = null;
  private lastId = 0;

  async onModuleDestroy(): Promise<void> {
    await Promise.allSettled(this.ending);
    const { helper } = this;
    if (!helper?.connected) return;
    helper.ref();
    const gone = once(helper, 'exit');
    helper.disconnect();
    await gone;
  }

  /**
   * Runs git.
   * @returns once neither it nor anything it started holds an output any more
   * @throws the signal's reason, or what `onOutput` threw
   */
  async run(command: GitCommand): Promise<GitOutcome> {
    const run = this.carryOut(command);
    this.ending.add(run);
    try {
      return await run;
    } finally {
      this.ending.delete(run);
    }
  }

  private async carryOut({ args, env, cwd, signal, input, onOutput }: GitCommand): Promise<GitOutcome> {
    signal.throwIfAborted();
    const helper = (this.helper ??= this.startHelper());
    this.lastId += 1;
    const id = this.lastId;
    const stopped = new AbortController();
    const stop = (error: unknown) => {
      stopped.abort(error);
      tell(helper, { kind: 'stop', id });
    };
    const onAbort = () => stop(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      const outcome = await new Promise<GitOutcome>((resolve, reject) => {
        const take = (chunk: Buffer) => {
          if (stopped.signal.aborted) return;
          try {
            onOutput?.(chunk);
          } catch (error) {
            stop(error);
          }
        };
        this.runs.set(id, { onOutput: take, end: resolve, fail: reject });
        const wantsOutput = onOutput !== undefined;
        tell(helper, { kind: 'run', id, args, env, cwd, input: input ?? '', wantsOutput });
      });
      stopped.signal.throwIfAborted();
      return outcome;
    } finally {
      this.runs.delete(id);
      signal.removeEventListener('abort', onAbort);
    }
  }

  private startHelper(): ChildProcess {
    const { path, execArgv } = findNodeScript(__dirname, 'git-helper');
    // A shell can bound the memory of what it becomes, and of all that comes from that; Node cannot.
    const helper = spawn(
      '/bin/sh',
      [
        ...['-c', `ulimit -d ${MEMORY_KIBIBYTES} 2>/dev/null; exec "$@"`, 'sh'],
        ...[process.execPath, ...execArgv, path],
      ],
      {
        // A signal to the service from its terminal is not for its git: what is under way ends in order.
        detached: true,
        env: { PATH: process.env.PATH ?? '' },
        serialization: 'advanced',
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      },
    );
    helper.on('message', (message: unknown) => this.hear(reportSchema.parse(message)));
    helper.once('error', () => this.lose(helper));
    helper.once('exit', () => this.lose(helper));
    helper.unref();
    helper.channel?.unref();
    return helper;
  }

  private hear(report: GitReport): void {
    const run = this.runs.get(report.id);
    if (report.kind === 'output') {
      const { buffer, byteOffset, byteLength } = report.chunk;
      run?.onOutput(Buffer.from(buffer, byteOffset, byteLength));
    } else if (report.kind === 'end') run?.end({ ok: report.code === 0, messages: report.messages });
    else run?.fail(new RegistrationProblem('git could not be started', { cause: new Error(report.why) }));
  }

  /** The next git gets another helper; what ran ends with this one. */
  private lose(helper: ChildProcess): void {
    if (this.helper !== helper) return;
    this.helper = null;
    // On Linux all its git is in its group; elsewhere git ends when its way to the network does.
    killGroup(helper);
    for (const run of this.runs.values()) run.fail(new RegistrationProblem('git was ended from outside'));
  }
}

function tell(helper: ChildProcess, order: GitRequest): void {
  // One that has gone is noticed by its exit.
  helper.send(order, () => undefined);
}
