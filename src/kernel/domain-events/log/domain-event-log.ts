import { Injectable } from '@nestjs/common';
import type { EntityManager, QueryRunner } from 'typeorm';
import { isRecord } from '../../common';
import { withTrace } from '../../jobs';
import { type DomainEvent, domainEventSchema } from '../kinds/domain-event';
import { type AnyDomainEvent, isOfService } from '../domain-event-kinds';
import { ADD_DOMAIN_EVENTS, LOCK_RECORDED, REPLACE_EVENTS, TAKE_LOGGED } from './domain-event-log.query';

/** In place of the organization of events that have none: it comes behind all organizations. */
export const NO_ORGANIZATION = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** What is left of the personal part of a row of the audit log. */
const NOTHING_PERSONAL = { address: null, user_agent: null };

/** An event in its place. */
export interface LoggedEvent {
  /** Higher than those of all events whose changes were committed and numbered before it; a decimal number. */
  readonly position: string;
  readonly event: AnyDomainEvent;
  /** When it was logged. */
  readonly at: Date;
}

/** An event as consumers get it. */
export interface TakenEvent extends LoggedEvent {
  /** As it was logged: a payload of jobs, which may carry the trace of the change. */
  readonly stored: unknown;
}

/** What reads every event once, in the order of positions. */
export interface LogConsumer {
  /** Whether somebody waits for the next events; otherwise they are numbered once a second. */
  isWaiting(): boolean;
  /**
   * Takes a batch in the transaction that gives it positions: what it writes commits with them. Must be quick.
   * @throws whatever; the batch then comes again
   */
  take(transaction: EntityManager, events: readonly TakenEvent[]): Promise<void>;
  /** The batch was committed by this process. */
  committed(): void;
}

/**
 * Stores what happens, in the transaction of the change, and what reads it once it is committed
 * (docs/decisions/0036-log-of-domain-events.md).
 */
@Injectable()
export class DomainEventLog {
  private readonly taking: LogConsumer[] = [];
  private readonly listeners: ((isUrgent: boolean) => void)[] = [];
  /** Transactions whose events are to be numbered at once. */
  private readonly urgent = new WeakSet<QueryRunner>();

  /** Who reads the log. */
  get consumers(): readonly LogConsumer[] {
    return this.taking;
  }

  /** Adds a reader; done while the service starts. */
  consume(consumer: LogConsumer): void {
    this.taking.push(consumer);
  }

  /**
   * Stores events. Those of extensions are of no conversation, whatever they name: its stream has only what the service knows of it.
   * @param isUrgent whether they are for jobs: they are numbered as soon as they are committed, and carry their trace
   */
  async add(transaction: EntityManager, events: readonly AnyDomainEvent[], isUrgent: boolean): Promise<void> {
    if (events.length === 0) return;
    if (isUrgent && transaction.queryRunner !== undefined) this.urgent.add(transaction.queryRunner);
    await ADD_DOMAIN_EVENTS.rows(transaction, [
      events.map(({ org_id }) => org_id ?? NO_ORGANIZATION),
      events.map((event) =>
        isOfService(event) && 'conversation_id' in event ? event.conversation_id : null,
      ),
      events.map(({ kind }) => kind),
      JSON.stringify(isUrgent ? events.map((event) => withTrace({ payload: event })) : events),
    ]);
  }

  /** What triggers have logged in a transaction since this was last asked. */
  async takeLogged(transaction: EntityManager): Promise<DomainEvent[]> {
    const rows = await TAKE_LOGGED.rows(transaction);
    return rows.map(({ event }) => domainEventSchema.parse(event));
  }

  /**
   * Blanks the personal part of the rows of the audit log that a person is the actor of, as far as they are still logged here.
   * @param places those of them that have a position; those without one are found
   */
  async erasePerson(
    transaction: EntityManager,
    userId: string,
    places: readonly { readonly org_id: string | null; readonly position: string }[],
  ): Promise<void> {
    const recorded = await LOCK_RECORDED.rows(transaction, [
      places.map(({ org_id }) => org_id ?? NO_ORGANIZATION),
      places.map(({ position }) => position),
    ]);
    const blank = recorded.flatMap(({ id, event }) => {
      const stored: unknown = JSON.parse(event);
      const isTheirs = isRecord(stored) && isRecord(stored.actor) && stored.actor.user_id === userId;
      return isTheirs ? [{ id, event: JSON.stringify({ ...stored, personal: NOTHING_PERSONAL }) }] : [];
    });
    await REPLACE_EVENTS.rows(transaction, [blank.map(({ id }) => id), blank.map(({ event }) => event)]);
  }

  /**
   * A change was committed that may have been logged.
   * @param runner of its transaction; null for a statement without one
   */
  written(runner: QueryRunner | null): void {
    const isUrgent = runner !== null && this.urgent.delete(runner);
    for (const listener of this.listeners) listener(isUrgent);
  }

  /** Calls back after every commit of this process that may have logged something. */
  onWritten(listener: (isUrgent: boolean) => void): void {
    this.listeners.push(listener);
  }
}
