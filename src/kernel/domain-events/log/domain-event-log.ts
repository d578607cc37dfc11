import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { DomainEvent, DomainEventKind } from '../domain-event';
import { ADD_DOMAIN_EVENTS } from './domain-event-log.query';

/** Kinds that triggers of the database log, since single statements change them message by message. */
const LOGGED_BY_TRIGGERS: ReadonlySet<DomainEventKind> = new Set([
  'conversation.updated',
  'conversation.status_changed',
  'message.queued',
  'message.delivered',
  'message.failed',
  'event.received',
]);

/** An event in its place. */
export interface LoggedEvent {
  /** Higher than those of all events whose changes were committed and numbered before it; a decimal number. */
  readonly position: string;
  readonly event: DomainEvent;
  /** When it was logged. */
  readonly at: Date;
}

/** What reads every event once, in the order of positions. */
export interface LogConsumer {
  /** Whether somebody waits for the next events; otherwise they are numbered once a second. */
  isWaiting(): boolean;
  /**
   * Takes a batch in the transaction that gives it positions: what it writes commits with them. Must be quick.
   * @throws whatever; the batch then comes again
   */
  take(transaction: EntityManager, events: readonly LoggedEvent[]): Promise<void>;
  /** The batch was committed by this process. */
  committed(): void;
}

/**
 * Stores what happens in organizations, in the transaction of the change, whoever listens
 * (docs/decisions/0036-log-of-domain-events.md).
 */
@Injectable()
export class DomainEventLog {
  private readonly taking: LogConsumer[] = [];
  private readonly listeners: (() => void)[] = [];

  /** Who reads the log. */
  get consumers(): readonly LogConsumer[] {
    return this.taking;
  }

  /** Adds a reader; done while the service starts. */
  consume(consumer: LogConsumer): void {
    this.taking.push(consumer);
  }

  /** Stores events of organizations; those that triggers store are left to them, and others belong to no log. */
  async add(transaction: EntityManager, events: readonly DomainEvent[]): Promise<void> {
    const added = events.filter(({ kind, org_id }) => org_id !== null && !LOGGED_BY_TRIGGERS.has(kind));
    if (added.length === 0) return;
    await ADD_DOMAIN_EVENTS.rows(transaction, [
      added.map(({ org_id }) => org_id),
      added.map((event) => ('conversation_id' in event ? event.conversation_id : null)),
      added.map(({ kind }) => kind),
      added.map((event) => JSON.stringify(event)),
    ]);
  }

  /** A change was committed that may have been logged. */
  written(): void {
    for (const listener of this.listeners) listener();
  }

  /** Calls back after every commit of this process that may have logged something. */
  onWritten(listener: () => void): void {
    this.listeners.push(listener);
  }
}
