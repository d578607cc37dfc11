import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { Clock } from '../common';
import { SETTINGS, type Settings } from '../config';
import { databaseUrl } from '../database';
import { JobHandlers } from './job-handlers';
import { scheduleFirst } from './recurring';
import { WorkerSession, type JobCounts, type WorkerOptions } from './worker-session';

/** Connections of a worker beside those of the service: one listens, the others fetch and report. */
export const WORKER_CONNECTIONS = 4;

const CONCURRENCY = 20;
const POLL_MS = 2_000;
const QUERY_TIMEOUT_MS = 10_000;

/** Of the five seconds that a stop may take, what running jobs are given to come to an end. */
const GRACE_MS = 3_000;

/** Failed jobs stay this long, for people to look at. */
const KEEP_FAILED = '7 days';
const CLEAN_UP_SECONDS = 3_600;

/**
 * Runs the jobs of this process from the end of its start until it stops, when `APP_ROLE` says so.
 * A worker that lost its lease or its database is followed by a new one.
 */
@Injectable()
export class JobRunner implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly log = new Logger('Jobs');
  private readonly counted: JobCounts = { running: 0, succeeded: 0, failed: 0, freed: 0 };
  private readonly options: WorkerOptions;
  private pool: Pool | undefined;
  /** The worker that takes jobs, and earlier ones whose last jobs are still running. */
  private readonly sessions = new Set<WorkerSession>();
  private stopping = false;
  private supervision: Promise<void> = Promise.resolve();
  private wake: () => void = () => undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly handlers: JobHandlers,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    const leaseMs = settings.JOB_LEASE_SECONDS * 1000;
    this.options = { leaseMs, concurrency: CONCURRENCY, pollMs: Math.min(POLL_MS, leaseMs / 4) };
    handlers.every('jobs-clean-up', CLEAN_UP_SECONDS, () => this.cleanUp());
  }

  onApplicationBootstrap(): void {
    if (this.settings.APP_ROLE !== 'api') this.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.stop();
  }

  /** What this process has done so far. */
  counts(): Readonly<JobCounts> {
    return this.counted;
  }

  /** Begins to take jobs; a database that is away is waited for. */
  start(): void {
    this.pool = this.connect();
    this.supervision = this.supervise(this.pool);
  }

  /** Takes no more jobs, ends those that are running within the grace time and gives the rest to others. */
  async stop(): Promise<void> {
    if (this.pool === undefined || this.stopping) return;
    this.stopping = true;
    this.wake();
    const stops = [...this.sessions].map((session) => session.stop(GRACE_MS));
    for (const stop of await Promise.allSettled(stops))
      if (stop.status === 'rejected') this.warn('stop a worker', stop.reason);
    await this.supervision;
    await this.pool.end();
  }

  private async supervise(pool: Pool): Promise<void> {
    while (!this.stopping) {
      try {
        for (const [name, seconds] of this.handlers.recurring()) await scheduleFirst(pool, name, seconds);
        if (this.isStopping()) return;
        await this.work(new WorkerSession(pool, this.handlers, this.clock, this.options, this.counted));
      } catch (error) {
        this.warn('begin to take jobs', error);
        await this.pause();
      }
    }
  }

  private async work(session: WorkerSession): Promise<void> {
    try {
      await session.begin();
    } catch (error) {
      session.discard();
      throw error;
    }
    this.sessions.add(session);
    // A stop that came meanwhile did not see this worker.
    if (this.stopping) await session.stop(GRACE_MS);
    await session.over;
    void session.wind().finally(() => this.sessions.delete(session));
  }

  private connect(): Pool {
    const pool = new Pool({
      connectionString: databaseUrl(this.dataSource),
      max: WORKER_CONNECTIONS,
      application_name: 'org-conversation-service jobs',
      connectionTimeoutMillis: QUERY_TIMEOUT_MS,
      query_timeout: QUERY_TIMEOUT_MS,
      keepAlive: true,
    });
    // Lost connections are noticed by the next query; without listeners they would end the process.
    pool.on('error', (error) => this.warn('keep a connection', error));
    pool.on('connect', (client) => client.on('error', (error) => this.warn('keep a connection', error)));
    return pool;
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

  /** May have become true during any wait. */
  private isStopping(): boolean {
    return this.stopping;
  }

  private pause(): Promise<void> {
    if (this.stopping) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.options.leaseMs / 4);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private warn(what: string, error: unknown): void {
    this.log.warn(`Could not ${what}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
