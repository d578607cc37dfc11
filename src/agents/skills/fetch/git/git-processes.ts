import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { SpanKind } from '@opentelemetry/api';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { z } from 'zod';
import { findNodeScript } from '../../../../kernel/common';
import { failSpan, inSpan } from '../../../../kernel/telemetry';
import { RegistrationProblem } from '../../registration/registration-problem';
import type { GitRequest, GitReport } from './git-requests';
import { killGroup } from './killed-processes';

/** Memory limit of one git for an untrusted repository; an ordinary one takes a few MiB. */
const MEMORY_KIBIBYTES = 512 * 1024;

export interface GitCommand {
  readonly args: readonly string[];
  /** The whole environment: nothing is inherited from the service. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Kills git, together with all processes it started. */
  readonly signal: AbortSignal;
  readonly input?: string;
  /** Receives git's output; when it throws, git is killed and the error is rethrown. */
  readonly onOutput?: (chunk: Buffer) => void;
}

export interface GitOutcome {
  readonly ok: boolean;
  /** The end of git's error output. Untrusted text: never put it into a response. */
  readonly messages: string;
}

interface GitRun {
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

/** Runs git through a helper process (`git-helper.ts`), started with the first git. */
@Injectable()
export class GitProcesses implements OnModuleDestroy {
  private readonly runs = new Map<number, GitRun>();
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
   * @returns once neither it nor any process it started has an output open
   * @throws the signal's reason, or what `onOutput` threw
   */
  async run(command: GitCommand): Promise<GitOutcome> {
    const run = this.runInSpan(command);
    this.ending.add(run);
    try {
      return await run;
    } finally {
      this.ending.delete(run);
    }
  }

  private runInSpan(command: GitCommand): Promise<GitOutcome> {
    const subcommand = command.args.find((arg) => /^[a-z][a-z-]+$/.test(arg)) ?? '';
    const attributes = { 'process.executable.name': 'git' };
    return inSpan(`git ${subcommand}`.trim(), { kind: SpanKind.CLIENT, attributes }, async (span) => {
      const outcome = await this.runInHelper(command);
      if (!outcome.ok) failSpan(span, 'exit');
      return outcome;
    });
  }

  private async runInHelper({ args, env, cwd, signal, input, onOutput }: GitCommand): Promise<GitOutcome> {
    signal.throwIfAborted();
    const helper = (this.helper ??= this.startHelper());
    this.lastId += 1;
    const id = this.lastId;
    const stopped = new AbortController();
    const stop = (error: unknown) => {
      stopped.abort(error);
      send(helper, { kind: 'stop', id });
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
        send(helper, { kind: 'run', id, args, env, cwd, input: input ?? '', wantsOutput });
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
    // A shell can limit the memory of the program it execs and of that one's children; Node cannot. Without a compiler for what
    // little runs here, Node reserves none of it for compiled code, which would be all of it.
    const helper = spawn(
      '/bin/sh',
      [
        '-c',
        `ulimit -d ${MEMORY_KIBIBYTES} 2>/dev/null; exec "$@"`,
        'sh',
        process.execPath,
        '--jitless',
        ...execArgv,
        path,
      ],
      {
        // A signal from the terminal must not reach git: the service stops it in an orderly way.
        detached: true,
        env: { PATH: process.env.PATH ?? '' },
        serialization: 'advanced',
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      },
    );
    helper.on('message', (message: unknown) => this.handle(reportSchema.parse(message)));
    helper.once('error', () => this.onHelperLost(helper));
    helper.once('exit', () => this.onHelperLost(helper));
    helper.unref();
    helper.channel?.unref();
    return helper;
  }

  private handle(report: GitReport): void {
    const run = this.runs.get(report.id);
    if (report.kind === 'output') {
      const { buffer, byteOffset, byteLength } = report.chunk;
      run?.onOutput(Buffer.from(buffer, byteOffset, byteLength));
    } else if (report.kind === 'end') run?.end({ ok: report.code === 0, messages: report.messages });
    else run?.fail(new RegistrationProblem('git could not be started', { cause: new Error(report.why) }));
  }

  /** Forgets a helper that has ended, and fails its runs; the next git starts another one. */
  private onHelperLost(helper: ChildProcess): void {
    if (this.helper !== helper) return;
    this.helper = null;
    // On Linux all its git processes are in its group; elsewhere git ends when it loses the network.
    killGroup(helper);
    for (const run of this.runs.values()) run.fail(new RegistrationProblem('git was ended from outside'));
  }
}

function send(helper: ChildProcess, request: GitRequest): void {
  // A helper that has ended is noticed by its exit event.
  helper.send(request, () => undefined);
}
