import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { Clock, messageOf } from '../../common';
import { SETTINGS, type Settings } from '../../config';
import { sessionUrl, openPool } from '../../database';
import { JobHandlers, PACES, type Pace } from '../handling/job-handlers';
import { WorkerSupervisor } from './worker-supervisor';
import { scheduleFirst } from '../handling/recurring';
import { JobCounts } from './job-counts';
import { WorkerSession } from './worker-session';

/** Connections of the workers' own: one listens for each worker, the others fetch and complete jobs. */
const WORKER_CONNECTIONS = 5;

/** Jobs that run concurrently in this process. */
const CONCURRENCY = { quick: 20, slow: 20 } as const satisfies Record<Pace, number>;
const POLL_MS = 2_000;
const QUERY_TIMEOUT_MS = 10_000;

/** Of the five seconds that shutting down may take, the time that running jobs get to finish. */
const GRACE_MS = 3_000;

/** How long dead jobs are kept for inspection. */
const KEEP_FAILED = '7 days';
const CLEAN_UP_SECONDS = 3_600;

/**
 * Runs jobs in this process from application bootstrap to shutdown, unless `APP_ROLE` is `api`: quick and slow
 * ones in a worker each.
 */
@Injectable()
export class JobRunner implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly log = new Logger('Jobs');
  private readonly counted = new JobCounts();
  private pool: Pool | undefined;
  private supervisors: readonly WorkerSupervisor[] = [];
  private stopping = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly handlers: JobHandlers,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    handlers.every('jobs-clean-up', CLEAN_UP_SECONDS, () => this.cleanUp());
  }

  onApplicationBootstrap(): void {
    if (this.settings.APP_ROLE === 'api') return;
    this.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.stop();
  }

  /** Counts of this process so far. */
  counts(): Readonly<JobCounts> {
    return this.counted;
  }

  /** Starts running jobs, as soon as the database is available. */
  start(): void {
    const pool = this.connect();
    this.pool = pool;
    const paces = PACES.filter((pace) => this.handlers.names(pace).length > 0);
    this.supervisors = paces.map((pace) => this.supervisorOf(pool, pace));
    for (const supervisor of this.supervisors) supervisor.start();
  }

  /** Fetches no more jobs, lets running ones finish within the grace time and returns the rest to the queue. */
  async stop(): Promise<void> {
    if (this.pool === undefined || this.stopping) return;
    this.stopping = true;
    await Promise.all(this.supervisors.map((supervisor) => supervisor.stop()));
    await this.pool.end();
  }

  private supervisorOf(pool: Pool, pace: Pace): WorkerSupervisor {
    const leaseMs = this.settings.JOB_LEASE_SECONDS * 1000;
    const options = { pace, leaseMs, concurrency: CONCURRENCY[pace], pollMs: Math.min(POLL_MS, leaseMs / 4) };
    return new WorkerSupervisor(
      () => (pace === 'quick' ? this.scheduleRecurring(pool) : Promise.resolve()),
      () => new WorkerSession(pool, this.handlers, this.clock, options, this.counted),
      leaseMs / 4,
      GRACE_MS,
    );
  }

  private async scheduleRecurring(pool: Pool): Promise<void> {
    for (const [name, seconds] of this.handlers.recurring()) await scheduleFirst(pool, name, seconds);
  }

  private connect(): Pool {
    return openPool(
      {
        connectionString: sessionUrl(this.dataSource),
        max: WORKER_CONNECTIONS,
        application_name: 'org-conversation-service jobs',
        connectionTimeoutMillis: QUERY_TIMEOUT_MS,
        query_timeout: QUERY_TIMEOUT_MS,
        // A process that is suspended while it looks for dead workers must not keep others from looking.
        idle_in_transaction_session_timeout: this.settings.JOB_LEASE_SECONDS * 1_000,
        keepAlive: true,
      },
      (error) => this.warnOfLoss(error),
    );
  }

  private async cleanUp(): Promise<void> {
    await this.dataSource.query(
      `SELECT graphile_worker.complete_jobs(ARRAY(
         SELECT id FROM graphile_worker.jobs
         WHERE attempts >= max_attempts AND locked_at IS NULL AND updated_at < now() - $1::interval
         ORDER BY id LIMIT 1000))`,
      [KEEP_FAILED],
    );
  }

  private warnOfLoss(error: unknown): void {
    this.log.warn(`Lost a database connection: ${messageOf(error)}`);
  }
}
