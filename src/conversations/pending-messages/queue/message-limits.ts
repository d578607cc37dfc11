import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { MEBIBYTE } from '../../../kernel/common';
import { SETTINGS, type Settings } from '../../../kernel/config';
import { OrganizationMessageBytesError, type QueuedFor, UserMessageBytesError } from '../../conversations';
import { EarlyQueueBytesError } from '../record/pending-messages.errors';
import type { ByteLimit } from './queue.query';
import { EXCEEDED_BY_START, UNDELIVERED_BYTES } from './queue-context.read-model';

/** How many bytes may wait for their delivery (docs/contract.md#queue-limit). */
@Injectable()
export class MessageLimits {
  /** The limits of a queue without a conversation, a user and an organization, as `queue_message` takes them. */
  readonly bytes: readonly [queue: number, user: number, organization: number];

  constructor(@Inject(SETTINGS) settings: Settings) {
    this.bytes = [
      settings.EARLY_QUEUE_MEBIBYTES * MEBIBYTE,
      settings.MESSAGE_MEBIBYTES_PER_USER * MEBIBYTE,
      settings.MESSAGE_MEBIBYTES_PER_ORG * MEBIBYTE,
    ];
  }

  /**
   * Checks what a transaction has written to a queue; the counters stay locked until it ends.
   * @throws EarlyQueueBytesError, UserMessageBytesError, OrganizationMessageBytesError
   */
  async assertKept(transaction: EntityManager, queueId: string): Promise<void> {
    const [held] = await UNDELIVERED_BYTES.rows(transaction, [queueId]);
    if (held === undefined) return;
    const [queue, user, organization] = this.bytes;
    if (Number(held.early) > queue) throw this.error('queue');
    if (Number(held.of_user) > user) throw this.error('user');
    if (Number(held.of_org) > organization) throw this.error('organization');
  }

  /**
   * Checks what a start has written, at the end of its transaction: its request counts as long as the start is under way, beside
   * its initial message.
   * @throws UserMessageBytesError, OrganizationMessageBytesError
   */
  async assertStartable(
    transaction: EntityManager,
    { taskId, userId, orgId }: Omit<QueuedFor, 'conversationId'>,
  ): Promise<void> {
    const [, user, organization] = this.bytes;
    const values = [taskId, userId, orgId, user, organization];
    const [found] = await EXCEEDED_BY_START.rows(transaction, values);
    if (found?.exceeded) throw this.error(found.exceeded);
  }

  /** The response to who exceeds a limit. */
  error(limit: ByteLimit): Error {
    const [queue, user, organization] = this.bytes;
    if (limit === 'queue') return new EarlyQueueBytesError(queue / MEBIBYTE);
    if (limit === 'user') return new UserMessageBytesError(user / MEBIBYTE);
    return new OrganizationMessageBytesError(organization / MEBIBYTE);
  }
}
