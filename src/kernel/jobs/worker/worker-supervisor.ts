import { Logger } from '@nestjs/common';
import { messageOf } from '../../common';
import type { WorkerSession } from './worker-session';

/** Keeps one worker running: when it loses its lease or its database, a new one replaces it. */
export class WorkerSupervisor {
  private readonly log = new Logger('Jobs');
  /** The current worker, and earlier ones whose last jobs are still running. */
  private readonly sessions = new Set<WorkerSession>();
  private stopping = false;
  private supervision: Promise<void> = Promise.resolve();
  private wake: () => void = () => undefined;

  /**
   * @param prepare runs before each worker starts; rejects while the database is unavailable
   * @param session creates a worker that has not started
   * @param retryMs delay between two attempts to start a worker
   * @param graceMs time that running jobs get to finish when the service stops
   */
  constructor(
    private readonly prepare: () => Promise<void>,
    private readonly session: () => WorkerSession,
    private readonly retryMs: number,
    private readonly graceMs: number,
  ) {}

  /** Starts running jobs, as soon as the database is available. */
  start(): void {
    this.supervision = this.supervise();
  }

  /** Fetches no more jobs, lets running ones finish within the grace time and returns the rest to the queue. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.wake();
    const stops = [...this.sessions].map((session) => session.stop(this.graceMs));
    for (const stop of await Promise.allSettled(stops))
      if (stop.status === 'rejected') this.warn('stop a worker', stop.reason);
    await this.supervision;
  }

  private async supervise(): Promise<void> {
    while (!this.stopping) {
      try {
        await this.prepare();
        if (this.isStopping()) return;
        await this.work(this.session());
      } catch (error) {
        this.warn('start a worker', error);
        await this.pause();
      }
    }
  }

  private async work(session: WorkerSession): Promise<void> {
    try {
      await session.start();
    } catch (error) {
      session.discard();
      throw error;
    }
    this.sessions.add(session);
    // A stop in the meantime did not see this worker.
    if (this.stopping) await session.stop(this.graceMs);
    await session.ended;
    void session.drain().finally(() => this.sessions.delete(session));
  }

  /** A method, since it may change during any await. */
  private isStopping(): boolean {
    return this.stopping;
  }

  private pause(): Promise<void> {
    if (this.stopping) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.retryMs);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private warn(what: string, error: unknown): void {
    this.log.warn(`Could not ${what}: ${messageOf(error)}`);
  }
}
