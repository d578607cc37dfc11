import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { MEBIBYTE } from '../../common';
import { SETTINGS, type Settings } from '../../config';
import { OrganizationMessageBytesError, UserMessageBytesError } from '../../conversations';
import { EarlyQueueBytesError } from '../record/pending-messages.errors';
import type { ByteLimit } from './queue.query';
import { UNDELIVERED_BYTES } from './queue-context.read-model';

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

  /** The response to who exceeds a limit. */
  error(limit: ByteLimit): Error {
    const [queue, user, organization] = this.bytes;
    if (limit === 'queue') return new EarlyQueueBytesError(queue / MEBIBYTE);
    if (limit === 'user') return new UserMessageBytesError(user / MEBIBYTE);
    return new OrganizationMessageBytesError(organization / MEBIBYTE);
  }
}
