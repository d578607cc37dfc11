import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { z } from 'zod';
import { JobHandlers, JobQueue, type RunningJob } from '../jobs';
import { LeaseLostError } from '../leases';
import { ListenedKinds } from './listened-kinds';
import { type DomainEvent, type DomainEventKind, kindsOf, payloadSchemaOf } from './domain-event';
import { DuplicateListenerError, UnknownEventKindError } from './domain-events.errors';
import { DomainEventLog } from './log/domain-event-log';
import type { AfterCommit } from './on-domain-event';

/** A listener as it was found; `context` is the transaction, or the job after the commit. */
export type ListenerMethod = (event: DomainEvent, context: EntityManager | RunningJob) => Promise<void>;

/** A listener, and what it is called with. */
interface Heard<Call> {
  readonly heard: ListenedKinds;
  readonly call: Call;
}

/** The listeners of one kind. */
interface Listeners {
  readonly inTransaction: Heard<ListenerMethod>[];
  /** Names of the jobs of those that are called after the commit. */
  readonly afterCommit: Heard<string>[];
}

/** How often a listener failed in this process, by kind. */
export interface ListenerFailures {
  readonly listener: string;
  /** `unknown` for a stored event that no schema fits any more. */
  readonly kind: DomainEventKind | 'unknown';
  readonly count: number;
}

/** Logs what happens, and notifies the listeners of {@link OnDomainEvent}. */
@Injectable()
export class DomainEvents {
  private readonly byKind = new Map<DomainEventKind, Listeners>();
  private readonly failed = new Map<string, ListenerFailures>();

  constructor(
    private readonly jobs: JobQueue,
    private readonly handlers: JobHandlers,
    private readonly log: DomainEventLog,
  ) {}

  /**
   * Whether anybody listens to a kind. For changes made by one statement: only when somebody does, they need
   * a transaction and the ids that the event carries.
   * @param eventKind of `event.received`, the kind of the agent's event; without it, any
   */
  listensTo(kind: DomainEventKind, eventKind?: string): boolean {
    const listeners = this.byKind.get(kind);
    if (listeners === undefined || eventKind === undefined) return listeners !== undefined;
    return [...listeners.inTransaction, ...listeners.afterCommit].some(({ heard }) =>
      heard.includeAgents(eventKind),
    );
  }

  /**
   * Logs the events, calls the listeners inside the transaction one after the other, then stores a job for each of
   * the others.
   * @param transaction the one of the change
   * @throws whatever a listener throws; the change must then be rolled back
   */
  async publish(transaction: EntityManager, ...events: readonly DomainEvent[]): Promise<void> {
    assertInTransaction(transaction, events);
    await this.log.add(transaction, events);
    const withListeners = events.filter(({ kind }) => this.byKind.has(kind));
    if (withListeners.length === 0) return;
    for (const event of withListeners)
      for (const { heard, call } of this.byKind.get(event.kind)?.inTransaction ?? [])
        if (heard.include(event)) await call(event, transaction);
    await this.jobs.addAll(
      transaction,
      withListeners.flatMap((event) =>
        (this.byKind.get(event.kind)?.afterCommit ?? [])
          .filter(({ heard }) => heard.include(event))
          .map(({ call }) => ({ name: call, payload: event })),
      ),
    );
  }

  /**
   * Adds a listener; done at start for every decorated method.
   * @param eventKinds which of the agents' events it hears of `event.received`; null for all
   * @throws UnknownEventKindError, MalformedEventKindsError, DuplicateListenerError
   */
  register(
    patterns: readonly string[],
    listener: ListenerMethod,
    afterCommit: AfterCommit | null,
    eventKinds: readonly string[] | null = null,
  ): void {
    const unknown = patterns.find((pattern) => kindsOf(pattern).length === 0);
    if (unknown !== undefined) throw new UnknownEventKindError(unknown);
    const heard = new ListenedKinds([...new Set(patterns.flatMap(kindsOf))], eventKinds);
    if (afterCommit !== null) this.handle(heard, listener, afterCommit);
    for (const kind of heard.kinds) {
      const listeners = this.byKind.get(kind) ?? { inTransaction: [], afterCommit: [] };
      if (afterCommit === null) listeners.inTransaction.push({ heard, call: listener });
      else listeners.afterCommit.push({ heard, call: afterCommit.name });
      this.byKind.set(kind, listeners);
    }
  }

  /** Failed calls of listeners after the commit, in this process. */
  failures(): readonly ListenerFailures[] {
    return [...this.failed.values()];
  }

  private handle(heard: ListenedKinds, listener: ListenerMethod, options: AfterCommit): void {
    const { name, pace = 'quick' } = options;
    if (this.handlers.has(name)) throw new DuplicateListenerError(name);
    const schema = payloadSchemaOf(heard.kinds);
    const call = async (payload: unknown, job: RunningJob): Promise<void> => {
      let kind: ListenerFailures['kind'] = 'unknown';
      try {
        const event = schema.parse(payload);
        kind = event.kind;
        // The job may be older than the listener's present choice of kinds.
        if (heard.include(event)) await listener(event, job);
      } catch (error) {
        if (!job.signal.aborted && !(error instanceof LeaseLostError)) this.countFailure(name, kind);
        throw error;
      }
    };
    // What the schema does not fit comes here too, and counts as a failure of the listener.
    this.handlers.register(name, z.union([schema, z.unknown()]), call, pace);
  }

  private countFailure(listener: string, kind: ListenerFailures['kind']): void {
    const key = `${listener} ${kind}`;
    const count = (this.failed.get(key)?.count ?? 0) + 1;
    this.failed.set(key, { listener, kind, count });
  }
}

/** @throws Error when no transaction is active */
export function assertInTransaction(transaction: EntityManager, events: readonly DomainEvent[]): void {
  const [first] = events;
  if (first !== undefined && transaction.queryRunner?.isTransactionActive !== true)
    throw new Error(`${first.kind} must be published inside the transaction of the change.`);
}
