import { setMaxListeners } from 'node:events';
import { hostname } from 'node:os';
import { Logger } from '@nestjs/common';
import { runTaskList, type JobHelpers, type TaskList, type WorkerPool } from 'graphile-worker';
import type { Pool } from 'pg';
import { type Clock, messageOf, settledWithin } from '../../common';
import { Lease, LeaseLostError } from '../../leases';
import { inLogged } from '../../telemetry';
import { freeDeadWorkers, freeWorker, hasOtherJobs } from './dead-workers';
import { graphileLogger } from './graphile-logger';
import type { JobCounts } from './job-counts';
import type { JobHandlers, Pace, RunningJob } from '../handling/job-handlers';
import { scheduleNext } from '../handling/recurring';
import { workerEvents } from './worker-events';

/** Settings of a worker; heartbeats and margins are fractions of the lease. */
interface WorkerOptions {
  readonly pace: Pace;
  readonly leaseMs: number;
  readonly concurrency: number;
  readonly pollMs: number;
}

/** Lease durations between two searches for jobs that no heartbeat and no failure says anything of. */
const UNANSWERED_FETCHES_EVERY = 10;

const SHUTDOWN = 'The service is shutting down.';

/**
 * One worker, from its first heartbeat to its end. It fetches jobs while it holds its lease; once the lease is
 * lost it ends for good, and the process starts another worker with a new id.
 */
export class WorkerSession {
  /** Resolves when the worker fetches no more jobs, for whatever reason. */
  readonly ended: Promise<void>;
  private readonly lease: Lease;
  private readonly abort = new AbortController();
  private readonly log = new Logger('Jobs');
  private readonly pool: WorkerPool;
  private readonly interrupted: RunningJob[] = [];
  private readonly drained: Promise<void>;
  private end!: () => void;
  /** Resolves when the first heartbeat is written, or there will be none. */
  private readonly registered: Promise<void>;
  private open!: () => void;
  private beats: NodeJS.Timeout | undefined;
  private closing: Promise<void> | undefined;
  private beating = false;
  private freeing = false;
  private beatCount = 0;
  private failedFetches = 0;
  /** Ids of the jobs that run. */
  private readonly jobs = new Set<string>();

  constructor(
    private readonly db: Pool,
    private readonly handlers: JobHandlers,
    private readonly clock: Clock,
    private readonly options: WorkerOptions,
    private readonly counts: JobCounts,
  ) {
    this.lease = new Lease(clock, options.leaseMs);
    this.ended = new Promise((resolve) => (this.end = resolve));
    // Every running job may add a listener.
    setMaxListeners(0, this.abort.signal);
    this.registered = new Promise((resolve) => (this.open = resolve));
    const events = workerEvents(db, {
      onEnd: () => this.end(),
      onFetch: (answered) => (this.failedFetches = answered ? 0 : this.failedFetches + 1),
    });
    this.pool = runTaskList(
      {
        concurrency: options.concurrency,
        pollInterval: options.pollMs,
        noHandleSignals: true,
        logger: graphileLogger(),
        events,
        forbiddenFlags: () => this.whenHeld(),
        // The library does not await unbatched completions: an unavailable database would crash the process.
        preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      },
      this.tasks(),
      db,
    );
    this.drained = this.pool.promise.catch((error: unknown) => {
      this.log.warn(`The worker ended: ${messageOf(error)}`);
    });
  }

  /** Writes the first heartbeat and starts to fetch jobs; rejects when the database is unavailable. */
  async start(): Promise<void> {
    const askedAt = this.clock.monotonicMs();
    await this.db.query(
      `INSERT INTO worker_heartbeats (worker_id, process, lease_until)
       VALUES ($1, $2, clock_timestamp() + $3 * interval '1 ms')`,
      [this.pool.id, `${hostname()} ${process.pid}`, this.options.leaseMs],
    );
    this.lease.renewed(askedAt);
    this.beats = setInterval(() => void this.renewLease(), this.options.leaseMs / 4);
    this.open();
  }

  /** Ends a worker that could not start. */
  discard(): void {
    this.lease.end();
    this.open();
    void Promise.resolve(this.pool.gracefulShutdown(SHUTDOWN)).catch(() => undefined);
  }

  /** Waits for the last jobs of a worker that fetches no more, and unlocks what it has not finished. */
  async drain(): Promise<void> {
    await this.drained;
    await this.close();
  }

  /** Ends the worker: aborts its jobs and, after `graceMs`, returns unfinished ones to the queue. */
  async stop(graceMs: number): Promise<void> {
    this.open();
    this.abort.abort(new Error(SHUTDOWN));
    const graceful = Promise.resolve(this.pool.gracefulShutdown(SHUTDOWN)).catch(() => undefined);
    const finished = await settledWithin(graceful, graceMs);
    await this.close();
    if (!finished) await this.shutDown(SHUTDOWN);
    for (const job of this.interrupted)
      await this.db.query(
        'SELECT graphile_worker.reschedule_jobs(ARRAY[$1::bigint], run_at => now(), attempts => $2)',
        [job.id, job.attempt - 1],
      );
  }

  private tasks(): TaskList {
    const task = (payload: unknown, helpers: JobHelpers): Promise<void> => {
      this.jobs.add(helpers.job.id);
      return this.run(payload, helpers).finally(() => this.jobs.delete(helpers.job.id));
    };
    return Object.fromEntries(this.handlers.names(this.options.pace).map((name) => [name, task]));
  }

  private run(payload: unknown, { job: row }: JobHelpers): Promise<void> {
    return inLogged({ jobId: row.id }, () => this.runJob(payload, row));
  }

  private async runJob(payload: unknown, row: JobHelpers['job']): Promise<void> {
    const name = row.task_identifier;
    const signal = this.abort.signal;
    const fence = await this.nextFence();
    // Checked after the token was drawn: a worker that takes this job over draws a higher one.
    this.lease.assertHeld();
    const lease = { fence, isHeld: () => this.lease.isHeld, assertHeld: () => this.lease.assertHeld() };
    const job = { id: row.id, name, attempt: row.attempts, maxAttempts: row.max_attempts, lease, signal };
    const beganAt = this.clock.monotonicMs();
    const seconds = (): number => (this.clock.monotonicMs() - beganAt) / 1_000;
    this.counts.running++;
    try {
      signal.throwIfAborted();
      await this.handlers.run(payload, job);
      // Without the lease the job is not reported as done: that is up to the worker that has it now.
      lease.assertHeld();
      this.counts.ended(name, 'succeeded', seconds());
    } catch (error) {
      if (signal.aborted) this.interrupted.push(job);
      else this.report(job, error, seconds());
      if (!this.handlers.recurring().has(name)) throw error;
      lease.assertHeld();
    } finally {
      this.counts.running--;
    }
    const interval = this.handlers.recurring().get(name);
    if (interval !== undefined) await scheduleNext(this.db, name, interval);
  }

  private async nextFence(): Promise<number> {
    const { rows } = await this.db.query<{ fence: string }>(`SELECT nextval('job_fences') AS fence`);
    return Number(rows[0]?.fence);
  }

  private report(job: RunningJob, error: unknown, seconds: number): void {
    if (error instanceof LeaseLostError) {
      this.log.warn(`Job ${job.id} (${job.name}) is left to other workers: the lease is lost.`);
      return;
    }
    this.counts.ended(job.name, 'failed', seconds);
    const text = `Job ${job.id} (${job.name}) failed, attempt ${job.attempt} of ${job.maxAttempts}: ${messageOf(error)}`;
    if (job.attempt >= job.maxAttempts) this.log.error({ err: error }, text);
    else this.log.warn({ err: error }, text);
  }

  /** Delays the next fetch until the lease is held, or the session has ended and the library stops fetching. */
  private async whenHeld(): Promise<null> {
    await this.registered;
    if (!this.lease.isHeld) await Promise.race([this.ended, this.nextBeat()]);
    return null;
  }

  private nextBeat(): Promise<void> {
    return new Promise((resolve) => {
      const check = setInterval(() => {
        if (!this.lease.isHeld) return;
        clearInterval(check);
        resolve();
      }, this.options.leaseMs / 4);
      void this.ended.then(() => clearInterval(check));
    });
  }

  private async renewLease(): Promise<void> {
    if (this.beating) return;
    this.beating = true;
    try {
      const askedAt = this.clock.monotonicMs();
      const { rowCount } = await this.db.query(
        `UPDATE worker_heartbeats SET lease_until = clock_timestamp() + $2 * interval '1 ms'
         WHERE worker_id = $1`,
        [this.pool.id, this.options.leaseMs],
      );
      if (rowCount === 0) await this.onLeaseLost();
      else this.onHeartbeat(askedAt);
    } catch (error) {
      this.log.warn(`A heartbeat failed: ${messageOf(error)}`);
    } finally {
      this.beating = false;
    }
  }

  private onHeartbeat(askedAt: number): void {
    this.lease.renewed(askedAt);
    this.beatCount++;
    void this.lookForLostJobs();
    // The database answers, yet fetching jobs keeps failing: only a new worker recovers from that.
    if (this.failedFetches > 2 * this.options.concurrency) this.replace('Jobs cannot be fetched.');
  }

  /** Fetches no more: another worker takes its place, and once its own jobs have ended all that it has locked is free. */
  private replace(reason: string): void {
    this.failedFetches = 0;
    void Promise.resolve(this.pool.gracefulShutdown(reason)).catch(() => undefined);
  }

  private async lookForLostJobs(): Promise<void> {
    if (this.freeing) return;
    this.freeing = true;
    try {
      const { leaseMs } = this.options;
      const alsoUnanswered = this.beatCount % (4 * UNANSWERED_FETCHES_EVERY) === 0;
      const freed = await freeDeadWorkers(this.db, { leaseMs, marginMs: leaseMs / 4 }, alsoUnanswered);
      this.counts.freed += freed.length;
      if (freed.length > 0) this.log.warn(`Unlocked the jobs of ${freed.length} dead worker(s).`);
      // A fetch whose answer was lost has locked a job for this worker, which would stay so for as long as it lives.
      if (alsoUnanswered && (await hasOtherJobs(this.db, this.pool.id, [...this.jobs], leaseMs)))
        this.replace('A job was fetched and the answer was lost.');
    } catch (error) {
      this.log.warn(`Looking for dead workers failed: ${messageOf(error)}`);
    } finally {
      this.freeing = false;
    }
  }

  /** Another process declared this worker dead and may run its jobs: everything is abandoned at once. */
  private async onLeaseLost(): Promise<void> {
    this.log.warn('This worker was declared dead; a new one replaces it.');
    clearInterval(this.beats);
    this.lease.end();
    // First the library stops fetching, then fetches that wait for the lease are released.
    const ended = this.shutDown('The lease is lost.');
    this.abort.abort(new LeaseLostError());
    this.end();
    await ended;
  }

  /** Ends without waiting for what is running. */
  private async shutDown(reason: string): Promise<void> {
    await Promise.resolve(this.pool.forcefulShutdown(reason)).catch(() => undefined);
  }

  private close(): Promise<void> {
    this.closing ??= this.unlockJobs();
    return this.closing;
  }

  private async unlockJobs(): Promise<void> {
    clearInterval(this.beats);
    this.lease.end();
    await freeWorker(this.db, this.pool.id).catch((error: unknown) => {
      this.log.warn(`The jobs of a worker are left for others to unlock: ${messageOf(error)}`);
    });
  }
}
