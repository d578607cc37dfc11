import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { newId, storableText } from '../../common';
import { ConversationQueue, type InitialMessage, type QueuedFor } from '../../conversations';
import { DomainEvents } from '../../domain-events';
import { JobQueue } from '../../jobs';
import { wakeJob } from '../leases/delivery-job-name';
import { publishMessages } from '../record/message-changes';

/** The queues as conversations see them: opened, ready, closed. */
@Injectable()
export class QueueStore extends ConversationQueue {
  constructor(
    private readonly jobs: JobQueue,
    private readonly events: DomainEvents,
  ) {
    super();
  }

  override async opened(
    transaction: EntityManager,
    conversation: QueuedFor,
    initial: InitialMessage | null,
  ): Promise<void> {
    const { conversationId, taskId, userId } = conversation;
    await lockUser(transaction, userId);
    const [early] = await transaction.query<[{ id: string }[], number]>(
      `UPDATE message_queues SET conversation_id = $1, early_key = NULL
        WHERE id = (SELECT id FROM message_queues
                     WHERE user_id = $2 AND early_key = ANY ($3) AND closed_reason IS NULL LIMIT 1)
        RETURNING id`,
      [conversationId, userId, [conversationId, taskId]],
    );
    const queueId = early[0]?.id ?? (await this.create(transaction, conversationId, userId));
    if (initial === null) return;
    const messageId = newId();
    // Ranks of what came before the conversation begin with 1, so that the initial message stands first.
    await transaction.query(
      `INSERT INTO pending_messages (id, queue_id, rank, is_initial, role, content, run)
       VALUES ($1, $2, 0, true, 'user', $3, $4)`,
      [messageId, queueId, initial.content, initial.run],
    );
    await publishMessages(this.events, transaction, 'message.queued', [messageId]);
  }

  override async ready(transaction: EntityManager, conversationId: string): Promise<void> {
    const [queue] = await transaction.query<{ id: string }[]>(
      'SELECT id FROM message_queues WHERE conversation_id = $1',
      [conversationId],
    );
    if (queue) await this.jobs.add(transaction, wakeJob(queue.id));
  }

  override async closed(
    transaction: EntityManager,
    conversationIds: readonly string[],
    reason: string,
  ): Promise<void> {
    // A conversation that an agent server brought has no queue before somebody uses it.
    const queues = await transaction.query<{ id: string }[]>(
      `INSERT INTO message_queues AS q (id, user_id, conversation_id, closed_reason)
       SELECT gen_random_uuid(), created_by_user_id, id, $2 FROM conversations WHERE id = ANY ($1) ORDER BY id
       ON CONFLICT (conversation_id) DO UPDATE SET closed_reason = $2 WHERE q.closed_reason IS NULL
       RETURNING q.id`,
      [conversationIds, storableText(reason)],
    );
    const [failed] = await transaction.query<[{ id: string }[], number]>(
      `UPDATE pending_messages SET state = 'failed', last_error = $2
        WHERE queue_id = ANY ($1) AND state = 'queued' RETURNING id`,
      [queues.map(({ id }) => id), storableText(reason)],
    );
    await publishMessages(
      this.events,
      transaction,
      'message.failed',
      failed.map(({ id }) => id),
    );
    // What is being delivered is settled by a delivery run.
    await this.jobs.addAll(
      transaction,
      queues.map(({ id }) => wakeJob(id)),
    );
  }

  private async create(transaction: EntityManager, conversationId: string, userId: string): Promise<string> {
    const id = newId();
    await transaction.query('INSERT INTO message_queues (id, user_id, conversation_id) VALUES ($1, $2, $3)', [
      id,
      userId,
      conversationId,
    ]);
    return id;
  }
}

/** Held by who starts a conversation and by who queues for one that is not there yet. */
export async function lockUser(transaction: EntityManager, userId: string): Promise<void> {
  await transaction.query('SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE', [userId]);
}
