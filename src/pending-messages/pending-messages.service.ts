import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import type { Caller } from '../auth';
import { newId, parseUuid } from '../common';
import { JobQueue } from '../jobs';
import { deliveryJob } from './delivery-job-name';
import type { MessageState } from './message-states';
import type { PendingMessageResponse } from './pending-messages.dto';
import {
  MessageNotFoundError,
  MessageNotQueuedError,
  OrderMismatchError,
  QueueClosedError,
  QueueFullError,
  TooManyEarlyQueuesError,
} from './pending-messages.errors';
import { lockUser } from './queue-store';
import { type QueueAddress, QueueAddresses } from './queue-address';
import { toMessageListJson, type MessageRow } from './queue-json';

/** Undelivered messages of one conversation (interface 8). */
const MAX_PENDING = 10;
/** Queues of one user whose conversations do not exist yet (decisions 11). */
const MAX_EARLY_QUEUES = 50;
/** Of the messages that are done, the latest are listed. */
const MAX_LISTED = 200;

const QUEUE_OF = {
  conversation: 'conversation_id = $1 AND ($2::uuid IS NOT NULL)',
  early: 'early_key = $1 AND user_id = $2',
} as const;

interface QueueRow {
  readonly id: string;
  readonly closed_reason: string | null;
}

/** Takes messages for later, lists them and lets their sender change their mind (decisions 11). */
@Injectable()
export class PendingMessagesService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly addresses: QueueAddresses,
    private readonly jobs: JobQueue,
  ) {}

  /**
   * Queues a message; it is stored once this returns.
   * @param content the JSON text of its blocks, as it came
   * @throws QueueNotFoundError, QueueClosedError, QueueFullError, TooManyEarlyQueuesError
   */
  async add(caller: Caller, conversation: string, content: string): Promise<PendingMessageResponse> {
    const address = await this.addresses.find(caller, conversation);
    return this.database.transaction(async (transaction) => {
      const queue = await this.lockOrCreate(
        transaction,
        caller,
        address.kind === 'early' ? await this.settledAddress(transaction, caller, conversation) : address,
      );
      if (queue.closed_reason !== null) throw new QueueClosedError(queue.closed_reason);
      const [waiting] = await transaction.query<[{ total: string; counted: string }]>(
        `SELECT count(*) AS total, count(*) FILTER (WHERE NOT is_initial) AS counted
           FROM pending_messages WHERE queue_id = $1 AND state IN ('queued', 'delivering')`,
        [queue.id],
      );
      if (Number(waiting.counted) >= MAX_PENDING) throw new QueueFullError(MAX_PENDING);
      const id = newId();
      await transaction.query(
        `WITH next AS (UPDATE message_queues SET last_rank = last_rank + 1 WHERE id = $2 RETURNING last_rank)
         INSERT INTO pending_messages (id, queue_id, rank, role, content, run)
         SELECT $1, $2, last_rank, 'user', $3, true FROM next`,
        [id, queue.id, content],
      );
      await this.jobs.add(transaction, deliveryJob(queue.id));
      return { id, queued: true, position: Number(waiting.total) + 1 };
    });
  }

  /** The messages of a queue in the given states, as the JSON text of a `QueuedMessageList`. */
  async list(caller: Caller, conversation: string, states: readonly MessageState[]): Promise<string> {
    const queue = await this.find(caller, await this.addresses.find(caller, conversation));
    if (queue === undefined) return toMessageListJson([]);
    const rows = await this.database.query<MessageRow[]>(
      `SELECT * FROM (
         SELECT m.*, CASE WHEN state IN ('queued', 'delivering')
                          THEN row_number() OVER (PARTITION BY state IN ('queued', 'delivering') ORDER BY rank)
                     END AS position
           FROM pending_messages m WHERE queue_id = $1
       ) listed
       WHERE state = ANY ($2) ORDER BY rank DESC LIMIT ${MAX_LISTED}`,
      [queue.id, states],
    );
    return toMessageListJson(rows.reverse());
  }

  /** @throws MessageNotFoundError, MessageNotQueuedError */
  async cancel(caller: Caller, conversation: string, messageId: string): Promise<void> {
    await this.changeQueued(caller, conversation, messageId, `state = 'cancelled'`, []);
  }

  /** Gives a queued message other content. @throws MessageNotFoundError, MessageNotQueuedError */
  async edit(caller: Caller, conversation: string, messageId: string, content: string): Promise<string> {
    await this.changeQueued(caller, conversation, messageId, 'content = $3', [content]);
    return this.list(caller, conversation, ['queued', 'delivering', 'failed']);
  }

  /**
   * Puts the queued messages into another order.
   * @throws MessageNotQueuedError when one is claimed, OrderMismatchError when the ids are not just those queued
   */
  async reorder(caller: Caller, conversation: string, ids: readonly string[]): Promise<string> {
    const queue = await this.find(caller, await this.addresses.find(caller, conversation));
    if (queue === undefined) throw new MessageNotFoundError();
    const wanted = ids.map(parseUuid);
    await this.database.transaction(async (transaction) => {
      await transaction.query('SELECT 1 FROM message_queues WHERE id = $1 FOR UPDATE', [queue.id]);
      const rows = await transaction.query<{ id: string; rank: string; state: MessageState }[]>(
        `SELECT id, rank, state FROM pending_messages
          WHERE queue_id = $1 AND (state = 'queued' OR id = ANY ($2)) ORDER BY rank FOR UPDATE`,
        [queue.id, wanted.filter((id) => id !== null)],
      );
      const claimed = rows.find(({ state }) => state !== 'queued');
      if (claimed) throw new MessageNotQueuedError(claimed.state);
      const isSame = rows.length === wanted.length && rows.every(({ id }) => wanted.includes(id));
      if (!isSame) throw new OrderMismatchError();
      await transaction.query(
        `UPDATE pending_messages m SET rank = o.rank FROM unnest($1::uuid[], $2::bigint[]) AS o (id, rank)
          WHERE m.id = o.id`,
        [wanted, rows.map(({ rank }) => rank)],
      );
    });
    return this.list(caller, conversation, ['queued', 'delivering', 'failed']);
  }

  private async changeQueued(
    caller: Caller,
    conversation: string,
    messageId: string,
    change: string,
    values: readonly unknown[],
  ): Promise<void> {
    const queue = await this.find(caller, await this.addresses.find(caller, conversation));
    const id = parseUuid(messageId);
    if (queue === undefined || id === null) throw new MessageNotFoundError();
    const [changed] = await this.database.query<[unknown[], number]>(
      `UPDATE pending_messages SET ${change}
        WHERE id = $1 AND queue_id = $2 AND state = 'queued' RETURNING id`,
      [id, queue.id, ...values],
    );
    if (changed.length > 0) return;
    const [message] = await this.database.query<{ state: MessageState }[]>(
      'SELECT state FROM pending_messages WHERE id = $1 AND queue_id = $2',
      [id, queue.id],
    );
    if (message === undefined || message.state === 'cancelled') throw new MessageNotFoundError();
    throw new MessageNotQueuedError(message.state);
  }

  private async find(caller: Caller, address: QueueAddress): Promise<QueueRow | undefined> {
    const [row] = await this.database.query<QueueRow[]>(
      `SELECT id, closed_reason FROM message_queues WHERE ${QUEUE_OF[address.kind]}`,
      [addressValue(address), caller.userId],
    );
    return row;
  }

  private async lockOrCreate(
    transaction: EntityManager,
    caller: Caller,
    address: QueueAddress,
  ): Promise<QueueRow> {
    const column = address.kind === 'conversation' ? 'conversation_id' : 'early_key';
    await transaction.query(
      `INSERT INTO message_queues (id, user_id, ${column}) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
      [newId(), caller.userId, addressValue(address)],
    );
    const [queue] = await transaction.query<[QueueRow]>(
      `SELECT id, closed_reason FROM message_queues WHERE ${QUEUE_OF[address.kind]} FOR UPDATE`,
      [addressValue(address), caller.userId],
    );
    return queue;
  }

  /**
   * The address once no conversation with this id can be on its way: starting one takes the same lock of
   * the user. Early queues are counted under it, so that calls at once cannot pass the limit together.
   */
  private async settledAddress(
    transaction: EntityManager,
    caller: Caller,
    conversation: string,
  ): Promise<QueueAddress> {
    await lockUser(transaction, caller.userId);
    const address = await this.addresses.find(caller, conversation, transaction);
    if (address.kind === 'conversation') return address;
    const [row] = await transaction.query<[{ others: string }]>(
      `SELECT count(*) AS others FROM message_queues
        WHERE user_id = $1 AND early_key <> $2 AND closed_reason IS NULL`,
      [caller.userId, address.key],
    );
    if (Number(row.others) >= MAX_EARLY_QUEUES) throw new TooManyEarlyQueuesError(MAX_EARLY_QUEUES);
    return address;
  }
}

function addressValue(address: QueueAddress): string {
  return address.kind === 'conversation' ? address.conversationId : address.key;
}
