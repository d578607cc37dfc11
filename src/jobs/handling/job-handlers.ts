import { Injectable } from '@nestjs/common';
import type { z } from 'zod';
import type { JobLease } from './lease';

/** What a handler is told about its run. */
export interface RunningJob {
  readonly id: string;
  readonly name: string;
  /** 1 for the first. */
  readonly attempt: number;
  /** The last attempt; after its failure the job is not tried again. */
  readonly maxAttempts: number;
  readonly lease: JobLease;
  /** Aborted when the service stops or the lease is lost; what is unfinished then runs again elsewhere. */
  readonly signal: AbortSignal;
}

export type JobHandler<Payload> = (payload: Payload, job: RunningJob) => Promise<void>;

/**
 * How long a job may take. A slow one waits for somebody else's server, for minutes if need be; it runs in a
 * worker of its own, so that however many of them wait, a quick one has its place.
 */
export const PACES = ['quick', 'slow'] as const;

export type Pace = (typeof PACES)[number];

/** The name of a job that only workers of one host take, for what lives on that host. */
export function hostBound(name: string, hostId: string): string {
  return `${name}@${hostId}`;
}

/**
 * What is done for jobs of which name. Providers register in their constructors; the worker takes only
 * jobs whose names are registered in its process.
 */
@Injectable()
export class JobHandlers {
  private readonly byName = new Map<string, JobHandler<unknown>[]>();
  private readonly intervals = new Map<string, number>();
  private readonly slow = new Set<string>();

  /**
   * Has something done for the jobs of a name. Several modules may care about one name: all of them are
   * called, one after the other, and all again when one fails.
   * @param schema checks the payload; one it refuses fails the job
   * @param handler idempotent: it runs again when its worker died, or failed before this was noted
   * @param pace one slow handler makes all jobs of the name slow
   */
  register<Schema extends z.ZodType>(
    name: string,
    schema: Schema,
    handler: JobHandler<z.output<Schema>>,
    pace: Pace = 'quick',
  ): void {
    if (pace === 'slow') this.slow.add(name);
    this.add(name, (payload, job) => handler(schema.parse(payload), job));
  }

  /**
   * Has something done again and again, once per interval over all replicas. A failure is logged and the
   * next interval tries again.
   */
  every(name: string, seconds: number, handler: (job: RunningJob) => Promise<void>): void {
    if (this.byName.has(name)) throw new Error(`There is a handler for jobs named ${name} already.`);
    this.add(name, (_, job) => handler(job));
    this.intervals.set(name, seconds);
  }

  /** Whether jobs of a name have a handler. */
  has(name: string): boolean {
    return this.byName.has(name);
  }

  /** All names of a pace, for its worker. */
  names(pace: Pace): string[] {
    return [...this.byName.keys()].filter((name) => this.slow.has(name) === (pace === 'slow'));
  }

  /** What {@link every} was told, by name. */
  recurring(): ReadonlyMap<string, number> {
    return this.intervals;
  }

  /** Runs the handlers of a job. */
  async run(payload: unknown, job: RunningJob): Promise<void> {
    const handlers = this.byName.get(job.name);
    if (handlers === undefined) throw new Error(`There is no handler for jobs named ${job.name}.`);
    for (const handler of handlers) await handler(payload, job);
  }

  private add(name: string, handler: JobHandler<unknown>): void {
    this.byName.set(name, [...(this.byName.get(name) ?? []), handler]);
  }
}
