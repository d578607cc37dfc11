import { Injectable } from '@nestjs/common';
import { InjectDataSource, InjectRepository } from '@nestjs/typeorm';
import { DataSource, type EntityManager, IsNull, Not, Repository } from 'typeorm';
import { z } from 'zod';
import type { Actor, Caller } from '../../../kernel/auth';
import { type Page, PageIds } from '../../../kernel/common';
import { fittingPage, type JsonResponse, LargeResponses, pageFrame } from '../../../kernel/http';
import { MessageQueue } from '../record/message-queue.entity';
import type { MessageMode, MessageState } from '../record/message.enums';
import type { PendingMessageResponse, QueuedMessage } from './pending-messages.dto';
import { MessageNotFoundError, TooManyEarlyQueuesError } from '../record/pending-messages.errors';
import { lockUser } from './queue-store';
import { type QueueRef, QueueRefs, whereQueue } from './queue-ref';
import { MessageEnqueuer } from './message-enqueuer';
import type { NewMessage } from './message-insertion';
import { type MessageChange, QueueChanges } from './queue-changes';
import { LIST_MESSAGES, MESSAGE_CONTENTS } from './queue.query';
import { type MessageRow, toMessage, toMessageJson } from '../record/queue-json';

/** A page of a queue; of those whose contents were not read with them, they are null. */
interface FoundMessages {
  readonly queueId: string | undefined;
  readonly items: readonly MessageRow[];
  readonly nextPageId: string | null;
}

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
    @InjectRepository(MessageQueue) private readonly queues: Repository<MessageQueue>,
    private readonly refs: QueueRefs,
    private readonly enqueuer: MessageEnqueuer,
    private readonly changes: QueueChanges,
    private readonly large: LargeResponses,
  ) {}

  /**
   * Queues a message; it is stored once this returns. An early queue that was closed is opened again.
   * @param content the JSON text of its blocks, as it came
   * @throws QueueNotFoundError, QueueClosedError, QueueFullError, TooManyEarlyQueuesError, and those of MessageLimits
   */
  async add(
    caller: Caller | Actor,
    conversation: string,
    content: string,
    mode: MessageMode = 'steer',
  ): Promise<PendingMessageResponse> {
    const message = { content, mode };
    const ref = await this.refs.find(caller, conversation);
    if (ref.kind === 'conversation' && this.enqueuer.deliversHere)
      return this.enqueuer.addAndDeliver(ref.userId, ref.conversationId, message);
    return this.database.transaction((transaction) =>
      this.insert(transaction, caller, { ref, conversation }, message),
    );
  }

  /** As {@link add}, in a transaction of the caller's: the message is delivered once that commits. */
  async addIn(
    transaction: EntityManager,
    actor: Actor,
    conversation: string,
    message: NewMessage,
  ): Promise<PendingMessageResponse> {
    const ref = await this.refs.find(actor, conversation, transaction);
    return this.insert(transaction, actor, { ref, conversation }, message);
  }

  private async insert(
    transaction: EntityManager,
    caller: Caller | Actor,
    { ref, conversation }: { readonly ref: QueueRef; readonly conversation: string },
    message: NewMessage,
  ): Promise<PendingMessageResponse> {
    const resolved =
      ref.kind === 'early' ? await this.resolveRef(transaction, caller, ref, conversation) : ref;
    return this.enqueuer.add(transaction, resolved, message);
  }

  /**
   * The messages of a queue in the given states, as the JSON text of a `QueuedMessageList`. That of a deleted
   * conversation can still be read: it shows which messages failed because of that.
   * @throws PageIdInvalidError, TooManyLargeResponsesError
   */
  async list(
    caller: Caller,
    conversation: string,
    states: readonly MessageState[] = LISTED,
    pageId?: string,
  ): Promise<JsonResponse> {
    const { queueId, items, nextPageId } = await this.found(caller, conversation, states, pageId);
    const messages = items.map((row) => ({
      row,
      bytes: row.bytes,
      text: row.content === null ? null : toMessageJson(row, row.content),
    }));
    return this.large.respond(caller.userId, messages, pageFrame(nextPageId), (unread) =>
      this.read(
        queueId,
        unread.map(({ row }) => row),
      ),
    );
  }

  /** As {@link list}, as records. @throws PageIdInvalidError */
  async listRecords(
    actor: Actor,
    conversation: string,
    states: readonly MessageState[] = LISTED,
    pageId?: string,
  ): Promise<Page<QueuedMessage>> {
    const { queueId, items, nextPageId } = await this.found(actor, conversation, states, pageId);
    const unread = await this.contentsOf(
      queueId,
      items.filter(({ content }) => content === null),
    );
    return {
      items: items.map((row) => toMessage(row, row.content ?? unread.get(row.id) ?? '[]')),
      next_page_id: nextPageId,
    };
  }

  private async found(
    caller: Caller | Actor,
    conversation: string,
    states: readonly MessageState[],
    pageId: string | undefined,
  ): Promise<FoundMessages> {
    const queueId = await this.find(await this.refs.findToRead(caller, conversation));
    const pages = pagesOf(queueId);
    const from = pages.read(pageId);
    const rows =
      queueId === undefined ? [] : await LIST_MESSAGES.rows(this.database, [queueId, states, from]);
    const { items, next } = fittingPage(rows, rows.length);
    return { queueId, items, nextPageId: next === undefined ? null : pages.write(next.rank) };
  }

  /** @throws MessageNotFoundError, MessageNotQueuedError */
  async cancel(caller: Caller | Actor, conversation: string, messageId: string): Promise<void> {
    await this.changeQueued(caller, conversation, messageId, { state: 'cancelled', content: '[]' });
  }

  /** Gives a queued message other content, or another mode. @throws MessageNotFoundError, MessageNotQueuedError, those of MessageLimits */
  async edit(
    caller: Caller,
    conversation: string,
    messageId: string,
    change: Pick<MessageChange, 'content' | 'mode'>,
  ): Promise<JsonResponse> {
    await this.changeQueued(caller, conversation, messageId, change);
    return this.list(caller, conversation);
  }

  /**
   * Puts the queued messages into another order; the initial message stays the first.
   * @throws MessageNotQueuedError when one is being delivered, OrderMismatchError when the ids are not just those
   *   queued, InitialMessageFirstError
   */
  async reorder(caller: Caller, conversation: string, ids: readonly string[]): Promise<JsonResponse> {
    const queueId = await this.find(await this.refs.find(caller, conversation));
    if (queueId === undefined) throw new MessageNotFoundError();
    await this.changes.reorder(queueId, ids);
    return this.list(caller, conversation);
  }

  private async changeQueued(
    caller: Caller | Actor,
    conversation: string,
    messageId: string,
    change: MessageChange,
  ): Promise<void> {
    const queueId = await this.find(await this.refs.find(caller, conversation));
    if (queueId === undefined) throw new MessageNotFoundError();
    await this.changes.change(queueId, messageId, change);
  }

  /** The JSON texts of messages whose contents were not read with them; of one that is gone meanwhile without. */
  private async read(queueId: string | undefined, rows: readonly MessageRow[]): Promise<string[]> {
    const contents = await this.contentsOf(queueId, rows);
    return rows.map((row) => toMessageJson(row, contents.get(row.id) ?? '[]'));
  }

  private async contentsOf(
    queueId: string | undefined,
    rows: readonly MessageRow[],
  ): Promise<ReadonlyMap<string, string>> {
    if (rows.length === 0) return new Map();
    const found = await MESSAGE_CONTENTS.rows(this.database, [queueId, rows.map(({ id }) => id)]);
    return new Map(found.map(({ id, content }) => [id, content]));
  }

  private async find(ref: QueueRef): Promise<string | undefined> {
    const queue = await this.queues.findOne({
      select: { id: true },
      where: whereQueue(ref),
    });
    return queue?.id;
  }

  /**
   * The ref once no conversation with this id can be on its way: starting one takes the same lock of
   * the user. Early queues are counted under it, so that calls at once cannot pass the limit together.
   */
  private async resolveRef(
    transaction: EntityManager,
    caller: Caller | Actor,
    { userId }: QueueRef,
    conversation: string,
  ): Promise<QueueRef> {
    await lockUser(transaction, userId);
    const ref = await this.refs.find(caller, conversation, transaction);
    if (ref.kind === 'conversation') return ref;
    const closedReason = IsNull();
    const others = await transaction.countBy(MessageQueue, [
      { userId, closedReason, earlyKey: Not(ref.key) },
      { userId, closedReason, earlyKey: ref.key, orgId: Not(ref.orgId) },
    ]);
    if (others >= MAX_EARLY_QUEUES) throw new TooManyEarlyQueuesError(MAX_EARLY_QUEUES);
    return ref;
  }
}

/** A page begins at a rank. */
function pagesOf(queueId: string | undefined): PageIds<string> {
  const rank = z.string().refine((text) => /^-?\d{1,18}$/.test(text));
  return new PageIds(`messages ${queueId ?? ''}`, rank);
}
