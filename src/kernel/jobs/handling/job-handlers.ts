import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { SpanKind } from '@opentelemetry/api';
import { isRecord, StartError } from '../../common';
import { inSpan, isRecording, type TraceContext, traceContext } from '../../telemetry';

/** Where a payload carries the trace of what added the job. */
const KEY = 'trace_context';

/** Which run of which job. */
interface Run {
  readonly id: string;
  readonly name: string;
  /** 1 for the first. */
  readonly attempt: number;
}

/** A payload, and the trace that it is a part of, unless that is the one under way. */
interface Traced {
  readonly payload: unknown;
  readonly traceContext?: TraceContext | null;
}

const traceSchema = z.object({ traceparent: z.string(), tracestate: z.string().optional() });

/** A payload as it is stored: with the trace that it goes on with, where one is recorded. */
export function withTrace({ payload, traceContext: chosen }: Traced): unknown {
  const context = chosen ?? (isRecording() ? traceContext() : undefined);
  return isRecord(payload) && context !== undefined ? { ...payload, [KEY]: context } : payload;
}

/**
 * Runs a job in a span, as a part of the trace of what added it.
 * @param run is given the payload as it was added
 */
function inJobSpan(
  stored: unknown,
  { id, name, attempt }: Run,
  run: (payload: unknown) => Promise<void>,
): Promise<void> {
  const { [KEY]: carried, ...payload } = isRecord(stored) ? stored : { [KEY]: undefined };
  const parent = traceSchema.safeParse(carried).data ?? null;
  const [job = name] = name.split('@', 1);
  const attributes = {
    'messaging.system': 'graphile_worker',
    'messaging.operation.type': 'process',
    'messaging.destination.name': job,
    'messaging.message.id': id,
    'messaging.message.delivery_attempt': attempt,
  };
  return inSpan(`process ${job}`, { kind: SpanKind.CONSUMER, attributes, parent }, () =>
    run(isRecord(stored) ? payload : stored),
  );
}

/** The lease of a worker, as a running job sees it. */
export interface JobLease {
  /**
   * Fencing token: higher than that of every earlier run, of this job or any other. An update that is guarded
   * by `fence <= :fence` and writes it cannot overwrite the work of a later run.
   */
  readonly fence: number;
  /** False once other workers may consider this process dead, by its own monotonic clock. */
  isHeld(): boolean;
  /**
   * Call it right before a network write, which no database can fence. A gap remains between this call and the
   * bytes leaving the process: a process that is suspended right there for longer than its lease writes late.
   * @throws LeaseLostError
   */
  assertHeld(): void;
}

/** The run of a job, as its handler sees it. */
export interface RunningJob {
  readonly id: string;
  readonly name: string;
  /** 1 for the first run. */
  readonly attempt: number;
  /** Number of the last attempt; a job that fails it is not retried. */
  readonly maxAttempts: number;
  readonly lease: JobLease;
  /** Aborted when the service shuts down or the lease is lost; an unfinished job then runs again elsewhere. */
  readonly signal: AbortSignal;
}

/** Does a job; one that throws is tried again. */
export type JobHandler<Payload> = (payload: Payload, job: RunningJob) => Promise<void>;

/**
 * How long a job may take. Slow jobs wait for other servers, possibly for minutes. They have a worker of their
 * own, so that they never keep quick ones waiting.
 */
export const PACES = ['quick', 'slow'] as const;

/** How long a job may take: others of its pace wait behind it. */
export type Pace = (typeof PACES)[number];

/** The name of a job that only workers of one host run, for resources that live on that host. */
export function hostBound(name: string, hostId: string): string {
  return `${name}@${hostId}`;
}

/** The handler of the jobs of a name, and where it was registered. */
interface Registration {
  readonly handler: JobHandler<unknown>;
  /** Text, or what has it in its stack, which is read only when it is asked for. */
  readonly by: string | Error;
}

/** The class or method that registers: the second of a stack, after the method of {@link JobHandlers}. */
function registrant(by: string | Error): string {
  if (typeof by === 'string') return by;
  const [, frame = ''] = by.stack?.split('\n').filter((line) => /^ *at /.test(line)) ?? [];
  return /at (?:new )?(.+?)(?: \(|$)/.exec(frame)?.[1] ?? 'an unknown provider';
}

/**
 * The registry of job handlers by name. Providers register in their constructors; a worker only fetches jobs
 * whose names are registered in its process.
 */
@Injectable()
export class JobHandlers {
  private readonly byName = new Map<string, Registration>();
  private readonly intervals = new Map<string, number>();
  private readonly slow = new Set<string>();

  /**
   * Registers the handler for the jobs of a name.
   * @param schema parses the payload; a payload it rejects fails the job
   * @param handler must be idempotent: it runs again when its worker died, or before its success was recorded
   * @param by who registers it, where that is not who calls this
   * @throws StartError when the name is taken
   */
  register<Schema extends z.ZodType>(
    name: string,
    schema: Schema,
    handler: JobHandler<z.output<Schema>>,
    pace: Pace = 'quick',
    by: string | Error = new Error(),
  ): void {
    this.add(name, { handler: (payload, job) => handler(schema.parse(payload), job), by });
    if (pace === 'slow') this.slow.add(name);
  }

  /**
   * Registers a recurring job, which runs once per interval across all replicas. A failure is logged, and the
   * job runs again after the next interval.
   * @throws StartError when the name is taken
   */
  every(name: string, seconds: number, handler: (job: RunningJob) => Promise<void>): void {
    this.add(name, { handler: (_, job) => handler(job), by: new Error() });
    this.intervals.set(name, seconds);
  }

  /**
   * All registered names of a pace, for its worker.
   * @internal
   */
  names(pace: Pace): string[] {
    return [...this.byName.keys()].filter((name) => this.slow.has(name) === (pace === 'slow'));
  }

  /**
   * All registered names, without the hosts that some are bound to.
   * @internal
   */
  kinds(): string[] {
    return [...new Set([...this.byName.keys()].map((name) => name.split('@', 1)[0] ?? name))];
  }

  /**
   * The intervals of recurring jobs in seconds, by name.
   * @internal
   */
  recurring(): ReadonlyMap<string, number> {
    return this.intervals;
  }

  /**
   * Runs the handler of a job.
   * @throws what it throws
   * @internal
   */
  async run(payload: unknown, job: RunningJob): Promise<void> {
    const registered = this.byName.get(job.name);
    if (registered === undefined) throw new Error(`There is no handler for jobs named ${job.name}.`);
    await inJobSpan(payload, job, (added) => registered.handler(added, job));
  }

  private add(name: string, registration: Registration): void {
    const other = this.byName.get(name);
    if (other !== undefined)
      throw new StartError(
        `Jobs named ${name} have two handlers, of ${registrant(other.by)} and of ${registrant(registration.by)}: give one a name of its own.`,
      );
    this.byName.set(name, registration);
  }
}
