import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { newId } from '../../../kernel/common';
import type { SqlRunner } from '../../../kernel/database';
import {
  ADD_DELIVERIES,
  DELETE_SOME,
  DROP_LANES,
  FAIL_PENDING,
  REPLAY_DELIVERIES,
} from './delivery-store.query';

/** More than one batch of events adds for an endpoint. */
const ADDED_AT_ONCE = 1_000;
const FAILED_AT_ONCE = 10_000;
const DELETED_AT_ONCE = 5_000;

/** What is to be delivered to one endpoint. */
export interface NewDelivery {
  readonly webhookId: string;
  /** Deliveries of one conversation to one endpoint go out one after the other; those of none at any time. */
  readonly conversationId: string | null;
  /** What else goes out one after the other, by an id of it. */
  readonly lane?: string;
  readonly type: string;
  /** The agent's kind of an `event.received`. */
  readonly eventKind: string | null;
  /** The payload's `data`; JSON. */
  readonly data: string;
  readonly occurredAt: Date;
}

/**
 * What is to be delivered, in the caller's transaction. After its commit the caller says so to `LaneSignal`.
 */
@Injectable()
export class DeliveryStore {
  /**
   * Adds deliveries, in the order in which they are to go out.
   * @returns their ids
   */
  async add(transaction: EntityManager, deliveries: readonly NewDelivery[]): Promise<string[]> {
    const made = deliveries.map((delivery) => ({ ...delivery, id: newId() }));
    for (const some of inStatements(made)) await insert(transaction, some);
    return made.map(({ id }) => id);
  }

  /**
   * Has completed deliveries sent again, under their ids and after what is waiting; pending ones are left as they are.
   * @returns how many there were
   */
  async replay(transaction: EntityManager, webhookId: string, ids: readonly string[]): Promise<number> {
    return (await REPLAY_DELIVERIES.rows(transaction, [webhookId, ids])).length;
  }

  /**
   * Gives up what is pending at an endpoint; what is on its way is not recorded any more.
   * @returns whether there may be more: nobody waits for hundreds of thousands of rows
   */
  async failPending(transaction: EntityManager, webhookId: string, reason: string): Promise<boolean> {
    await DROP_LANES.rows(transaction, [webhookId]);
    const failed = await FAIL_PENDING.rows(transaction, [webhookId, reason, FAILED_AT_ONCE]);
    return failed.length === FAILED_AT_ONCE;
  }

  /** As {@link failPending}, until nothing is pending. */
  async failAll(transaction: EntityManager, webhookId: string, reason: string): Promise<void> {
    while (await this.failPending(transaction, webhookId, reason));
  }

  /** Revokes the lanes of an endpoint that was disabled in this transaction. */
  async dropLanes(transaction: EntityManager, webhookId: string): Promise<void> {
    await DROP_LANES.rows(transaction, [webhookId]);
  }

  /**
   * Deletes the deliveries of an endpoint, by the batch: one statement for millions of rows would be canceled, and
   * with the endpoint locked meanwhile all others would wait.
   */
  async deleteAll(database: SqlRunner, webhookId: string): Promise<void> {
    let deleted: number;
    do {
      deleted = (await DELETE_SOME.rows(database, [webhookId, DELETED_AT_ONCE])).length;
    } while (deleted === DELETED_AT_ONCE);
  }
}

type MadeDelivery = NewDelivery & { readonly id: string };

/**
 * Parts that one statement each adds in time, however many endpoints a batch goes to. Lanes are locked in the order of
 * their keys: all those of an endpoint together, and endpoints in their order.
 */
function inStatements(made: readonly MadeDelivery[]): MadeDelivery[][] {
  const parts: MadeDelivery[][] = [];
  let part: MadeDelivery[] = [];
  for (const delivery of sortedByWebhook(made)) {
    if (part.length >= ADDED_AT_ONCE && part.at(-1)?.webhookId !== delivery.webhookId) part = [];
    if (part.length === 0) parts.push(part);
    part.push(delivery);
  }
  return parts;
}

/** Deliveries to one endpoint stay in order. */
function sortedByWebhook(made: readonly MadeDelivery[]): MadeDelivery[] {
  return [...made].sort((a, b) => (a.webhookId < b.webhookId ? -1 : a.webhookId > b.webhookId ? 1 : 0));
}

async function insert(transaction: EntityManager, deliveries: readonly MadeDelivery[]): Promise<void> {
  await ADD_DELIVERIES.rows(transaction, [
    deliveries.map(({ id }) => id),
    deliveries.map(({ webhookId }) => webhookId),
    deliveries.map(({ lane, conversationId, id }) => lane ?? conversationId ?? id),
    deliveries.map(({ type }) => type),
    deliveries.map(({ eventKind }) => eventKind),
    deliveries.map(({ conversationId }) => conversationId),
    deliveries.map(({ data }) => data),
    deliveries.map(({ occurredAt }) => occurredAt),
  ]);
}
