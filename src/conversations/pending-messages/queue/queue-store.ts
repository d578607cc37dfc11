import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { cutText, newId } from '../../../kernel/common';
import {
  ConversationQueue,
  type InitialMessage,
  type QueuedFor,
  type QueuedMessageReceipt,
  type RemovedMessages,
  type StoppedMessages,
} from '../../conversations';
import { DomainEvents } from '../../../kernel/domain-events';
import { JobQueue } from '../../../kernel/jobs';
import { MessageQueue } from '../record/message-queue.entity';
import { PendingMessage } from '../record/pending-message.entity';
import { MAX_REASON } from '../record/text-limits';
import { MessageInsertion } from './message-insertion';
import { MessageLimits } from './queue-changes';
import { CREATORS, LOCK_USER } from './queue-context.read-model';
import {
  ATTACH_EARLY_QUEUE,
  CLOSE_QUEUES,
  DELETE_MESSAGES_OF,
  DELETE_QUEUES_OF,
  FAIL_QUEUED,
  LOCK_QUEUE_OF,
  LOCK_QUEUES_OF,
  STOP_DELIVERING,
  STOPPED_ON_ITS_WAY,
  WAITING_TO_STEER,
} from './queue.query';
import { END_PAUSES } from '../after-run/queue-pauses.query';
import { wakeJob } from '../leases/delivery-job-name';

const NOTHING: RemovedMessages = { items: 0, bytes: 0 };

/** The queues as conversations see them: they open, fill, resume and close one. */
@Injectable()
export class QueueStore extends ConversationQueue {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly jobs: JobQueue,
    private readonly events: DomainEvents,
    private readonly limits: MessageLimits,
    private readonly insertion: MessageInsertion,
  ) {
    super();
  }

  override add(
    transaction: EntityManager,
    { conversationId, userId }: Pick<QueuedFor, 'conversationId' | 'userId'>,
    content: string,
  ): Promise<QueuedMessageReceipt> {
    const target = { userId, conversationId, early: null };
    return this.insertion.insert(transaction, target, { content, mode: 'steer' });
  }

  override async hasWaiting(conversationId: string): Promise<boolean> {
    return (await WAITING_TO_STEER.rows(this.database, [conversationId])).length > 0;
  }

  override async open(
    transaction: EntityManager,
    conversation: QueuedFor,
    initial: InitialMessage | null,
  ): Promise<void> {
    const { conversationId, taskId, userId, orgId } = conversation;
    await lockUser(transaction, userId);
    const [early] = await ATTACH_EARLY_QUEUE.rows(transaction, [
      conversationId,
      userId,
      [conversationId, taskId],
      orgId,
    ]);
    const queueId = early?.id ?? (await this.create(transaction, conversationId, userId));
    if (initial !== null) await this.addInitial(transaction, queueId, initial);
    await this.limits.assertStartable(transaction, conversation);
  }

  override async resume(transaction: EntityManager, conversationId: string): Promise<void> {
    const queue = await transaction.findOne(MessageQueue, {
      select: { id: true },
      where: { conversationId },
    });
    if (queue) await this.jobs.add(transaction, wakeJob(queue.id));
  }

  override async stop(
    transaction: EntityManager,
    conversationId: string,
    reason: string,
  ): Promise<StoppedMessages> {
    const queues = await LOCK_QUEUE_OF.rows(transaction, [conversationId]);
    const ids = queues.map(({ id }) => id);
    // A pause after failures is not for the next message, which did not fail.
    await END_PAUSES.rows(transaction, [ids]);
    // Those on their way first: one that gets back into the queue meanwhile, whose run does not lock that, is then found in it.
    const onTheirWay = await STOP_DELIVERING.rows(transaction, [ids]);
    const failed = await FAIL_QUEUED.rows(transaction, [ids, cutText(reason, MAX_REASON)]);
    if (failed.length > 0) await this.events.publishLogged(transaction, 'message.failed');
    return { failed: failed.length, onTheirWay: onTheirWay.length };
  }

  override async hasStoppedOnItsWay(conversationId: string): Promise<boolean> {
    return (await STOPPED_ON_ITS_WAY.rows(this.database, [conversationId])).length > 0;
  }

  override async close(
    transaction: EntityManager,
    conversationIds: readonly string[],
    reason: string,
  ): Promise<number> {
    const shortened = cutText(reason, MAX_REASON);
    // A conversation that an agent server brought has no queue until the first message.
    const creators = await CREATORS.rows(transaction, [conversationIds]);
    const queues = await CLOSE_QUEUES.rows(transaction, [
      creators.map(({ id }) => id),
      creators.map(({ user_id }) => user_id),
      shortened,
    ]);
    const failed = await FAIL_QUEUED.rows(transaction, [queues.map(({ id }) => id), shortened]);
    if (failed.length > 0) await this.events.publishLogged(transaction, 'message.failed');
    // A message in delivery is settled by its delivery run.
    await this.jobs.addAll(
      transaction,
      queues.map(({ id }) => wakeJob(id)),
    );
    return failed.length;
  }

  override async empty(
    transaction: EntityManager,
    conversationIds: readonly string[],
    most: number,
  ): Promise<RemovedMessages> {
    await LOCK_QUEUES_OF.rows(transaction, [conversationIds]);
    const [removed = NOTHING] = await DELETE_MESSAGES_OF.rows(transaction, [conversationIds, most]);
    if (removed.items === 0) await DELETE_QUEUES_OF.rows(transaction, [conversationIds]);
    return removed;
  }

  private async addInitial(
    transaction: EntityManager,
    queueId: string,
    initial: InitialMessage,
  ): Promise<void> {
    // Ranks of what came before the conversation begin with 1, so that the initial message comes first.
    await transaction.insert(PendingMessage, {
      id: newId(),
      queueId,
      rank: '0',
      isInitial: true,
      role: 'user',
      content: initial.content,
      run: initial.run,
    });
    await this.limits.assertKept(transaction, queueId);
    await this.events.publishLogged(transaction, 'message.queued');
  }

  private async create(transaction: EntityManager, conversationId: string, userId: string): Promise<string> {
    const id = newId();
    await transaction.insert(MessageQueue, { id, userId, conversationId });
    return id;
  }
}

/** Taken both to start a conversation and to queue for one that does not exist yet. */
export async function lockUser(transaction: EntityManager, userId: string): Promise<void> {
  await LOCK_USER.rows(transaction, [userId]);
}
