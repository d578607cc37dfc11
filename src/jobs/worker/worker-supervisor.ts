import { Logger } from '@nestjs/common';
import type { WorkerSession } from './worker-session';

/** Keeps one worker going: one that lost its lease or its database is followed by a new one. */
export class WorkerSupervisor {
  private readonly log = new Logger('Jobs');
  /** The worker that takes jobs, and earlier ones whose last jobs are still running. */
  private readonly sessions = new Set<WorkerSession>();
  private stopping = false;
  private supervision: Promise<void> = Promise.resolve();
  private wake: () => void = () => undefined;

  /**
   * @param prepare what comes before each worker; rejects while the database is away
   * @param session makes a worker that has not begun
   * @param retryMs between two tries to begin
   * @param graceMs what running jobs are given to come to an end
   */
  constructor(
    private readonly prepare: () => Promise<void>,
    private readonly session: () => WorkerSession,
    private readonly retryMs: number,
    private readonly graceMs: number,
  ) {}

  /** Begins to take jobs; a database that is away is waited for. */
  start(): void {
    this.supervision = this.supervise();
  }

  /** Takes no more jobs, ends those that are running within the grace time and gives the rest to others. */
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
    if (this.stopping) await session.stop(this.graceMs);
    await session.over;
    void session.wind().finally(() => this.sessions.delete(session));
  }

  /** May have become true during any wait. */
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
    this.log.warn(`Could not ${what}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
