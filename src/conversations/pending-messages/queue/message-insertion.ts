import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { newId } from '../../../kernel/common';
import { QueueClosedError, QueueFullError, type QueuedMessageReceipt } from '../../conversations';
import { DomainEvents } from '../../../kernel/domain-events';
import { JobQueue } from '../../../kernel/jobs';
import { deliveryJob } from '../leases/delivery-job-name';
import type { MessageMode } from '../record/message.enums';
import { MessageLimits } from './queue-changes';
import { QueueNotFoundError } from '../record/pending-messages.errors';
import { QUEUE_AFTER_RUN, QUEUE_MESSAGE, type QueuedRow } from './queue.query';

/** Undelivered messages of one conversation (docs/contract.md#queue-limit). */
export const MAX_PENDING = 10;

/** A message: the JSON text of its blocks, as received, and its mode. */
export interface NewMessage {
  readonly content: string;
  readonly mode: MessageMode;
}

/** The user and the queue: of a conversation, or an early one under an id in an organization. */
interface InsertionTarget {
  readonly userId: string;
  readonly conversationId: string | null;
  readonly early: { readonly key: string; readonly orgId: string } | null;
}

/** Puts messages into their queues. */
@Injectable()
export class MessageInsertion {
  constructor(
    private readonly jobs: JobQueue,
    private readonly events: DomainEvents,
    private readonly limits: MessageLimits,
  ) {}

  /** The statement that queues a message in a mode. */
  statementFor(mode: MessageMode): typeof QUEUE_MESSAGE {
    return mode === 'after_run' ? QUEUE_AFTER_RUN : QUEUE_MESSAGE;
  }

  /**
   * Queues a message, with a job that delivers it when nobody else delivers from the queue.
   * @throws QueueNotFoundError, QueueClosedError, QueueFullError, and those of {@link MessageLimits}
   */
  async insert(
    transaction: EntityManager,
    { userId, conversationId, early }: InsertionTarget,
    { content, mode }: NewMessage,
  ): Promise<QueuedMessageReceipt> {
    const id = newId();
    const [row] = await this.statementFor(mode).rowsIn(transaction, [
      id,
      userId,
      conversationId,
      early?.key ?? null,
      early?.orgId ?? null,
      content,
      MAX_PENDING,
      null,
      ...this.limits.bytes,
    ]);
    const { queueId, position } = this.accepted(row);
    await this.events.publishLogged(transaction, 'message.queued');
    if (row?.needs_run) await this.jobs.add(transaction, deliveryJob(queueId));
    return { id, position };
  }

  /**
   * Reads the result of queuing a message.
   * @throws QueueNotFoundError, QueueClosedError, QueueFullError, and those of {@link MessageLimits}
   */
  accepted(row: QueuedRow | undefined): { readonly queueId: string; readonly position: number } {
    if (!row?.to_queue) throw new QueueNotFoundError();
    if (row.refusal !== null) throw new QueueClosedError(row.refusal);
    if (row.exceeded !== null) throw this.limits.error(row.exceeded);
    if (row.place === null) throw new QueueFullError(MAX_PENDING);
    return { queueId: row.to_queue, position: Number(row.place) };
  }
}
