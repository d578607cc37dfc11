import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import type { Caller } from '../../auth';
import { parseUuid } from '../../common';
import type { MessageState } from '../record/message-states';
import type { PendingMessageResponse } from './pending-messages.dto';
import {
  InitialMessageFirstError,
  MessageNotFoundError,
  MessageNotQueuedError,
  OrderMismatchError,
  TooManyEarlyQueuesError,
} from './pending-messages.errors';
import { lockUser } from './queue-store';
import { type QueueRef, QueueRefs, queueCondition } from './queue-ref';
import { MessageEnqueuer } from './message-enqueuer';
import { toMessageListJson, type MessageRow } from './queue-json';

/** Queues of one user whose conversations do not exist yet (docs/contract.md#queue-ids). */
const MAX_EARLY_QUEUES = 50;
/** Of the messages that are done, the latest are listed. */
const MAX_LISTED = 200;

/** A message whose place is to change. */
interface RankedRow {
  readonly id: string;
  readonly rank: string;
  readonly state: MessageState;
  readonly is_initial: boolean;
}

/**
 * Takes messages for later, lists them and lets their sender change their mind
 * (docs/contract.md#changing-the-queue).
 */
@Injectable()
export class PendingMessagesService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly addresses: QueueRefs,
    private readonly entrance: MessageEnqueuer,
  ) {}

  /**
   * Queues a message; it is stored once this returns. An early queue that was closed begins anew.
   * @param content the JSON text of its blocks, as it came
   * @throws QueueNotFoundError, QueueClosedError, QueueFullError, TooManyEarlyQueuesError
   */
  async add(caller: Caller, conversation: string, content: string): Promise<PendingMessageResponse> {
    const address = await this.addresses.find(caller, conversation);
    if (address.kind === 'conversation' && this.entrance.deliversHere)
      return this.entrance.addAndDeliver(caller.userId, address.conversationId, content);
    return this.database.transaction(async (transaction) => {
      const settled =
        address.kind === 'early' ? await this.settledAddress(transaction, caller, conversation) : address;
      return this.entrance.add(transaction, caller.userId, settled, content);
    });
  }

  /**
   * The messages of a queue in the given states, as the JSON text of a `QueuedMessageList`. That of a deleted
   * conversation can still be read: it tells which messages failed by that.
   */
  async list(caller: Caller, conversation: string, states: readonly MessageState[]): Promise<string> {
    const queueId = await this.find(caller, await this.addresses.findToRead(caller, conversation));
    if (queueId === undefined) return toMessageListJson([]);
    const rows = await this.database.query<MessageRow[]>(
      `SELECT m.*, CASE WHEN state IN ('queued', 'delivering') THEN (
                     SELECT count(*) FROM pending_messages b
                      WHERE b.queue_id = $1 AND b.state IN ('queued', 'delivering') AND b.rank <= m.rank
                   ) END AS position
         FROM pending_messages m
        WHERE queue_id = $1 AND state = ANY ($2) ORDER BY rank DESC LIMIT ${MAX_LISTED}`,
      [queueId, states],
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
   * Puts the queued messages into another order; the initial message stays the first.
   * @throws MessageNotQueuedError when one is claimed, OrderMismatchError when the ids are not just those
   *   queued, InitialMessageFirstError
   */
  async reorder(caller: Caller, conversation: string, ids: readonly string[]): Promise<string> {
    const queueId = await this.find(caller, await this.addresses.find(caller, conversation));
    if (queueId === undefined) throw new MessageNotFoundError();
    const wanted = ids.map(parseUuid);
    await this.database.transaction(async (transaction) => {
      await transaction.query('SELECT 1 FROM message_queues WHERE id = $1 FOR UPDATE', [queueId]);
      const rows = await transaction.query<RankedRow[]>(
        `SELECT id, rank, state, is_initial FROM pending_messages
          WHERE queue_id = $1 AND (state = 'queued' OR id = ANY ($2)) ORDER BY rank FOR UPDATE`,
        [queueId, wanted.filter((id) => id !== null)],
      );
      const claimed = rows.find(({ state }) => state !== 'queued');
      if (claimed) throw new MessageNotQueuedError(claimed.state);
      const isSame = rows.length === wanted.length && rows.every(({ id }) => wanted.includes(id));
      if (!isSame) throw new OrderMismatchError();
      if (rows.some((row) => row.is_initial && row.id !== wanted[0])) throw new InitialMessageFirstError();
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
    const queueId = await this.find(caller, await this.addresses.find(caller, conversation));
    const id = parseUuid(messageId);
    if (queueId === undefined || id === null) throw new MessageNotFoundError();
    const [changed] = await this.database.query<[unknown[], number]>(
      `UPDATE pending_messages SET ${change}
        WHERE id = $1 AND queue_id = $2 AND state = 'queued' RETURNING id`,
      [id, queueId, ...values],
    );
    if (changed.length > 0) return;
    const [message] = await this.database.query<{ state: MessageState }[]>(
      'SELECT state FROM pending_messages WHERE id = $1 AND queue_id = $2',
      [id, queueId],
    );
    if (message === undefined || message.state === 'cancelled') throw new MessageNotFoundError();
    throw new MessageNotQueuedError(message.state);
  }

  private async find(caller: Caller, address: QueueRef): Promise<string | undefined> {
    const [condition, values] = queueCondition(address, caller.userId);
    const [row] = await this.database.query<{ id: string }[]>(
      `SELECT id FROM message_queues WHERE ${condition}`,
      [...values],
    );
    return row?.id;
  }

  /**
   * The address once no conversation with this id can be on its way: starting one takes the same lock of
   * the user. Early queues are counted under it, so that calls at once cannot pass the limit together.
   */
  private async settledAddress(
    transaction: EntityManager,
    caller: Caller,
    conversation: string,
  ): Promise<QueueRef> {
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
