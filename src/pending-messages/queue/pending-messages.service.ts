import { Injectable } from '@nestjs/common';
import { InjectDataSource, InjectRepository } from '@nestjs/typeorm';
import { DataSource, type EntityManager, IsNull, Not, Repository } from 'typeorm';
import type { Caller } from '../../auth';
import { parseUuid } from '../../common';
import { fittingPage, type JsonResponse, LargeResponses, pageFrame } from '../../http';
import { MessageQueue } from '../record/message-queue.entity';
import type { MessageState } from '../record/message-states';
import { PendingMessage } from '../record/pending-message.entity';
import type { PendingMessageResponse } from './pending-messages.dto';
import {
  InitialMessageFirstError,
  MessageNotFoundError,
  MessageNotQueuedError,
  OrderMismatchError,
  TooManyEarlyQueuesError,
} from './pending-messages.errors';
import { lockUser } from './queue-store';
import { type QueueRef, QueueRefs, whereQueue } from './queue-ref';
import { MessageEnqueuer } from './message-enqueuer';
import { MessageLimits } from './message-limits';
import { LIST_MESSAGES, LOCK_QUEUE, LOCK_RANKS, MESSAGE_CONTENTS, SET_RANKS } from './queue.query';
import { type MessageRow, toMessageJson } from './queue-json';

/** What a list shows unless it is asked for others. */
const LISTED: readonly MessageState[] = ['queued', 'delivering', 'failed'];

/** Queues of one user whose conversations do not exist yet (docs/contract.md#queue-ids). */
const MAX_EARLY_QUEUES = 50;

/**
 * Takes messages for later, lists them and lets their sender change their mind
 * (docs/contract.md#changing-the-queue).
 */
@Injectable()
export class PendingMessagesService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    @InjectRepository(PendingMessage) private readonly messages: Repository<PendingMessage>,
    @InjectRepository(MessageQueue) private readonly queues: Repository<MessageQueue>,
    private readonly refs: QueueRefs,
    private readonly enqueuer: MessageEnqueuer,
    private readonly limits: MessageLimits,
    private readonly large: LargeResponses,
  ) {}

  /**
   * Queues a message; it is stored once this returns. An early queue that was closed is opened again.
   * @param content the JSON text of its blocks, as it came
   * @throws QueueNotFoundError, QueueClosedError, QueueFullError, TooManyEarlyQueuesError, and those of
   *   {@link MessageLimits}
   */
  async add(caller: Caller, conversation: string, content: string): Promise<PendingMessageResponse> {
    const ref = await this.refs.find(caller, conversation);
    if (ref.kind === 'conversation' && this.enqueuer.deliversHere)
      return this.enqueuer.addAndDeliver(caller.userId, ref.conversationId, content);
    return this.database.transaction(async (transaction) => {
      const resolved = ref.kind === 'early' ? await this.resolveRef(transaction, caller, conversation) : ref;
      return this.enqueuer.add(transaction, caller.userId, resolved, content);
    });
  }

  /**
   * The messages of a queue in the given states, as the JSON text of a `QueuedMessageList`. That of a deleted
   * conversation can still be read: it shows which messages failed because of that.
   * @param pageId the message that the page begins with
   * @throws TooManyLargeResponsesError
   */
  async list(
    caller: Caller,
    conversation: string,
    states: readonly MessageState[] = LISTED,
    pageId?: string,
  ): Promise<JsonResponse> {
    const queueId = await this.find(caller, await this.refs.findToRead(caller, conversation));
    const from = pageId === undefined ? null : parseUuid(pageId);
    const rows =
      queueId === undefined ? [] : await LIST_MESSAGES.rows(this.database, [queueId, states, from]);
    const { items, next } = fittingPage(rows, rows.length);
    const messages = items.map((row) => ({
      row,
      bytes: row.bytes,
      text: row.content === null ? null : toMessageJson(row, row.content),
    }));
    return this.large.respond(caller.userId, messages, pageFrame(next?.id ?? null), (unread) =>
      this.read(
        queueId,
        unread.map(({ row }) => row),
      ),
    );
  }

  /** @throws MessageNotFoundError, MessageNotQueuedError */
  async cancel(caller: Caller, conversation: string, messageId: string): Promise<void> {
    await this.changeQueued(caller, conversation, messageId, { state: 'cancelled', content: '[]' });
  }

  /** Gives a queued message other content. @throws MessageNotFoundError, MessageNotQueuedError, those of {@link MessageLimits} */
  async edit(
    caller: Caller,
    conversation: string,
    messageId: string,
    content: string,
  ): Promise<JsonResponse> {
    await this.changeQueued(caller, conversation, messageId, { content });
    return this.list(caller, conversation);
  }

  /**
   * Puts the queued messages into another order; the initial message stays the first.
   * @throws MessageNotQueuedError when one is being delivered, OrderMismatchError when the ids are not just those
   *   queued, InitialMessageFirstError
   */
  async reorder(caller: Caller, conversation: string, ids: readonly string[]): Promise<JsonResponse> {
    const queueId = await this.find(caller, await this.refs.find(caller, conversation));
    if (queueId === undefined) throw new MessageNotFoundError();
    const wanted = ids.map(parseUuid);
    await this.database.transaction(async (transaction) => {
      await LOCK_QUEUE.rows(transaction, [queueId]);
      const rows = await LOCK_RANKS.rows(transaction, [queueId, wanted.filter((id) => id !== null)]);
      const underWay = rows.find(({ state }) => state !== 'queued');
      if (underWay) throw new MessageNotQueuedError(underWay.state);
      const isSame = rows.length === wanted.length && rows.every(({ id }) => wanted.includes(id));
      if (!isSame) throw new OrderMismatchError();
      if (rows.some((row) => row.is_initial && row.id !== wanted[0])) throw new InitialMessageFirstError();
      await SET_RANKS.rows(transaction, [wanted, rows.map(({ rank }) => rank)]);
    });
    return this.list(caller, conversation);
  }

  private async changeQueued(
    caller: Caller,
    conversation: string,
    messageId: string,
    change: Partial<Pick<PendingMessage, 'state' | 'content'>>,
  ): Promise<void> {
    const queueId = await this.find(caller, await this.refs.find(caller, conversation));
    const id = parseUuid(messageId);
    if (queueId === undefined || id === null) throw new MessageNotFoundError();
    const isChanged = await this.database.transaction(async (transaction) => {
      const { affected } = await transaction.update(PendingMessage, { id, queueId, state: 'queued' }, change);
      if (affected === 0) return false;
      if (change.state !== 'cancelled') await this.limits.assertKept(transaction, queueId);
      return true;
    });
    if (isChanged) return;
    const message = await this.messages.findOneBy({ id, queueId });
    if (message === null || message.state === 'cancelled') throw new MessageNotFoundError();
    throw new MessageNotQueuedError(message.state);
  }

  /** The JSON texts of messages whose contents were not read with them; of one that is gone meanwhile without. */
  private async read(queueId: string | undefined, rows: readonly MessageRow[]): Promise<string[]> {
    const found = await MESSAGE_CONTENTS.rows(this.database, [queueId, rows.map(({ id }) => id)]);
    const contents = new Map(found.map(({ id, content }) => [id, content]));
    return rows.map((row) => toMessageJson(row, contents.get(row.id) ?? '[]'));
  }

  private async find(caller: Caller, ref: QueueRef): Promise<string | undefined> {
    const queue = await this.queues.findOne({
      select: { id: true },
      where: whereQueue(ref, caller.userId),
    });
    return queue?.id;
  }

  /**
   * The ref once no conversation with this id can be on its way: starting one takes the same lock of
   * the user. Early queues are counted under it, so that calls at once cannot pass the limit together.
   */
  private async resolveRef(
    transaction: EntityManager,
    caller: Caller,
    conversation: string,
  ): Promise<QueueRef> {
    await lockUser(transaction, caller.userId);
    const ref = await this.refs.find(caller, conversation, transaction);
    if (ref.kind === 'conversation') return ref;
    const { userId } = caller;
    const closedReason = IsNull();
    const others = await transaction.countBy(MessageQueue, [
      { userId, closedReason, earlyKey: Not(ref.key) },
      { userId, closedReason, earlyKey: ref.key, orgId: Not(ref.orgId) },
    ]);
    if (others >= MAX_EARLY_QUEUES) throw new TooManyEarlyQueuesError(MAX_EARLY_QUEUES);
    return ref;
  }
}
