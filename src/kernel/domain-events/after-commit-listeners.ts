import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { z } from 'zod';
import { JobHandlers, JobQueue, type RunningJob } from '../jobs';
import { LeaseLostError } from '../leases';
import { isLoggedByTriggers } from './kinds/event-kinds';
import { type AnyDomainEvent, DomainEventKinds } from './domain-event-kinds';
import type { ListenedKinds } from './listened-kinds';
import { DomainEventLog, type LogConsumer, type TakenEvent } from './log/domain-event-log';
import type { AfterCommit } from './on-domain-event';

/** How often a listener failed in this process, by kind. */
interface ListenerFailures {
  readonly listener: string;
  /** `unknown` for a stored event that no schema fits any more. */
  readonly kind: string;
  readonly count: number;
}

/** A listener, by the name of its jobs, and what it is called with. */
interface Registered {
  readonly name: string;
  readonly listened: ListenedKinds;
}

/** Reads the log, and has a job for each listener after the commit that an event is for. */
@Injectable()
export class AfterCommitListeners implements LogConsumer {
  private readonly listeners: Registered[] = [];
  private readonly failed = new Map<string, ListenerFailures>();

  constructor(
    private readonly jobs: JobQueue,
    private readonly handlers: JobHandlers,
    private readonly kinds: DomainEventKinds,
    log: DomainEventLog,
  ) {
    log.consume(this);
  }

  /**
   * Adds a listener.
   * @param by its class and method
   * @throws StartError when its name is taken, by another listener or a job
   */
  register(
    listened: ListenedKinds,
    listener: (event: AnyDomainEvent, job: RunningJob) => Promise<void>,
    { name, pace = 'quick' }: AfterCommit,
    by?: string,
  ): void {
    const { schema } = this.kinds;
    const call = async (payload: unknown, job: RunningJob): Promise<void> => {
      let kind: ListenerFailures['kind'] = 'unknown';
      try {
        const event = schema.parse(payload);
        kind = event.kind;
        // The job may be older than the listener's present choice of kinds.
        if (listened.include(event)) await listener(event, job);
      } catch (error) {
        if (!job.signal.aborted && !(error instanceof LeaseLostError)) this.countFailure(name, kind);
        throw error;
      }
    };
    // What the schema does not fit comes here too, and counts as a failure of the listener.
    this.handlers.register(name, z.union([schema, z.unknown()]), call, pace, by);
    this.listeners.push({ name, listened });
  }

  /** Whether an event is for any listener. */
  listenTo(event: AnyDomainEvent): boolean {
    return this.listeners.some(({ listened }) => listened.include(event));
  }

  /** Failed calls of listeners, in this process. */
  failures(): readonly ListenerFailures[] {
    return [...this.failed.values()];
  }

  /** Of what operations publish, they know themselves whether somebody waits for it. */
  isWaiting(): boolean {
    return this.listeners.some(({ listened }) => listened.kinds.some(isLoggedByTriggers));
  }

  async take(transaction: EntityManager, events: readonly TakenEvent[]): Promise<void> {
    await this.jobs.addAll(
      transaction,
      events.flatMap(({ event, stored }) =>
        this.listeners
          .filter(({ listened }) => listened.include(event))
          .map(({ name }) => ({ name, payload: stored })),
      ),
    );
  }

  committed(): void {
    // Workers see the jobs with the commit.
  }

  private countFailure(listener: string, kind: ListenerFailures['kind']): void {
    const key = `${listener} ${kind}`;
    const count = (this.failed.get(key)?.count ?? 0) + 1;
    this.failed.set(key, { listener, kind, count });
  }
}
