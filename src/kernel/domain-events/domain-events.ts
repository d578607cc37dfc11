import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { RunningJob } from '../jobs';
import { AfterCommitListeners } from './after-commit-listeners';
import type { DomainEventKind, PublishedEvent, TriggerKind } from './kinds/event-kinds';
import { type AnyDomainEvent, DomainEventKinds, type ExtensionEvent } from './domain-event-kinds';
import { UnknownEventKindError } from './domain-events.errors';
import { ListenedKinds } from './listened-kinds';
import { DomainEventLog } from './log/domain-event-log';
import type { AfterCommit } from './on-domain-event';

/** A listener as it was found; `context` is the transaction, or the job after the commit. */
type ListenerMethod = (event: AnyDomainEvent, context: EntityManager | RunningJob) => Promise<void>;

/** A listener in the transaction, and what it is called with. */
interface Registered {
  readonly listened: ListenedKinds;
  readonly call: ListenerMethod;
}

/** Logs what happens, and notifies the listeners of {@link OnDomainEvent}: those in the transaction itself, others by the log. */
@Injectable()
export class DomainEvents {
  private readonly byKind = new Map<string, Registered[]>();

  constructor(
    private readonly afterCommit: AfterCommitListeners,
    private readonly log: DomainEventLog,
    private readonly kinds: DomainEventKinds,
  ) {}

  /**
   * Whether anybody listens to a kind in the transaction. For changes made by one statement: only when somebody does, they
   * need a transaction.
   * @param eventKind of `event.received`, the kind of the agent's event; without it, any
   */
  listensTo(kind: DomainEventKind, eventKind?: string): boolean {
    const listeners = this.byKind.get(kind) ?? [];
    return listeners.some(({ listened }) => eventKind === undefined || listened.includeAgents(eventKind));
  }

  /**
   * Logs the events, and calls the listeners inside the transaction one after the other. What belongs to no organization
   * is logged only if somebody listens after the commit.
   * @param transaction the one of the change
   * @throws whatever a listener throws; the change must then be rolled back
   */
  async publish(
    transaction: EntityManager,
    ...events: readonly (PublishedEvent | ExtensionEvent)[]
  ): Promise<void> {
    assertInTransaction(transaction, events);
    const awaited = new Set(events.filter((event) => this.afterCommit.listenTo(event)));
    const logged = events.filter((event) => event.org_id !== null || awaited.has(event));
    await this.log.add(transaction, logged, awaited.size > 0);
    await this.notify(transaction, events);
  }

  /**
   * Calls the listeners inside the transaction with what triggers have logged in it, since this was last done.
   * @param kinds what the change may have been logged as; nothing is read if nobody listens to them
   * @throws whatever a listener throws; the change must then be rolled back
   */
  async publishLogged(transaction: EntityManager, ...kinds: readonly TriggerKind[]): Promise<void> {
    if (kinds.some((kind) => this.listensTo(kind)))
      await this.notify(transaction, await this.log.takeLogged(transaction));
  }

  /** A statement has committed by itself what triggers have logged: who follows the log need not look for it. */
  loggedAlone(): void {
    this.log.written(null);
  }

  /**
   * Adds a listener; done at start for every decorated method.
   * @param eventKinds which of the agents' events it receives as `event.received`; null for all
   * @param by its class and method
   * @throws UnknownEventKindError, MalformedEventKindsError; StartError when its name is taken
   */
  register(
    patterns: readonly string[],
    listener: ListenerMethod,
    afterCommit: AfterCommit | null,
    eventKinds: readonly string[] | null = null,
    by?: string,
  ): void {
    const unknown = patterns.find((pattern) => this.kinds.matching(pattern).length === 0);
    if (unknown !== undefined) throw new UnknownEventKindError(unknown);
    const listened = new ListenedKinds(
      [...new Set(patterns.flatMap((pattern) => this.kinds.matching(pattern)))],
      eventKinds,
    );
    if (afterCommit !== null) this.afterCommit.register(listened, listener, afterCommit, by);
    else
      for (const kind of listened.kinds)
        this.byKind.set(kind, [...(this.byKind.get(kind) ?? []), { listened, call: listener }]);
  }

  private async notify(transaction: EntityManager, events: readonly AnyDomainEvent[]): Promise<void> {
    for (const event of events)
      for (const { listened, call } of this.byKind.get(event.kind) ?? [])
        if (listened.include(event)) await call(event, transaction);
  }
}

/** Publishes the events that extensions declare (docs/extending.md#events-of-your-own). */
@Injectable()
export class ExtensionEvents {
  constructor(
    private readonly events: DomainEvents,
    private readonly kinds: DomainEventKinds,
  ) {}

  /**
   * Logs an event in the transaction of the change, and calls the listeners inside it. Streams, webhooks and other listeners
   * get it once the transaction is committed; after a rollback nobody does.
   * @param kind one of a loaded extension, such as `acme.budget_spent`
   * @param orgId the organization it happened in
   * @param fields what its schema declares; others are left out
   * @throws Error when no extension has the kind, the fields do not fit its schema, or it is larger than 16 KiB; whatever a
   *   listener throws. The transaction must then be rolled back.
   */
  async publish(
    transaction: EntityManager,
    kind: string,
    orgId: string,
    fields: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    await this.events.publish(transaction, this.kinds.eventOf(kind, orgId, fields));
  }
}

/** @throws Error when no transaction is active */
export function assertInTransaction(transaction: EntityManager, events: readonly AnyDomainEvent[]): void {
  const [first] = events;
  if (first !== undefined && transaction.queryRunner?.isTransactionActive !== true)
    throw new Error(`${first.kind} must be published inside the transaction of the change.`);
}
