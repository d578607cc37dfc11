import { Injectable, Inject } from '@nestjs/common';
import { InjectDataSource, InjectRepository } from '@nestjs/typeorm';
import { DataSource, Repository, type EntityManager } from 'typeorm';
import { parseUuid, MEBIBYTE } from '../../../kernel/common';
import { RunWaits } from '../after-run/run-waits';
import { PendingMessage } from '../record/pending-message.entity';
import {
  InitialMessageFirstError,
  MessageNotFoundError,
  MessageNotQueuedError,
  OrderMismatchError,
  EarlyQueueBytesError,
} from '../record/pending-messages.errors';
import { LOCK_QUEUE, LOCK_RANKS, SET_RANKS, type ByteLimit } from './queue.query';
import { SETTINGS, type Settings } from '../../../kernel/config';
import { OrganizationMessageBytesError, type QueuedFor, UserMessageBytesError } from '../../conversations';
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

  /** The error for a limit that is exceeded. */
  error(limit: ByteLimit): Error {
    const [queue, user, organization] = this.bytes;
    if (limit === 'queue') return new EarlyQueueBytesError(queue / MEBIBYTE);
    if (limit === 'user') return new UserMessageBytesError(user / MEBIBYTE);
    return new OrganizationMessageBytesError(organization / MEBIBYTE);
  }
}

/** The fields of a queued message that may change. */
export type MessageChange = Partial<Pick<PendingMessage, 'state' | 'content' | 'mode'>>;

/** Changes messages that are queued; what was held back by one of them goes out (docs/contract.md#changing-the-queue). */
@Injectable()
export class QueueChanges {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    @InjectRepository(PendingMessage) private readonly messages: Repository<PendingMessage>,
    private readonly waits: RunWaits,
    private readonly limits: MessageLimits,
  ) {}

  /** @throws MessageNotFoundError, MessageNotQueuedError, and those of {@link MessageLimits} */
  async change(queueId: string, messageId: string, change: MessageChange): Promise<void> {
    const id = parseUuid(messageId);
    if (id === null) throw new MessageNotFoundError();
    const isChanged = await this.database.transaction(async (transaction) => {
      const waiting = await this.waits.lockOf(transaction, { queueId });
      const { affected } = await transaction.update(PendingMessage, { id, queueId, state: 'queued' }, change);
      if (affected === 0) return false;
      if (change.state !== 'cancelled') await this.limits.assertKept(transaction, queueId);
      await this.waits.wake(transaction, waiting);
      return true;
    });
    if (isChanged) return;
    const message = await this.messages.findOneBy({ id, queueId });
    if (message === null || message.state === 'cancelled') throw new MessageNotFoundError();
    throw new MessageNotQueuedError(message.state);
  }

  /** @throws MessageNotQueuedError, OrderMismatchError, InitialMessageFirstError */
  async reorder(queueId: string, ids: readonly string[]): Promise<void> {
    const wanted = ids.map(parseUuid);
    await this.database.transaction(async (transaction) => {
      await LOCK_QUEUE.rows(transaction, [queueId]);
      const waiting = await this.waits.lockOf(transaction, { queueId });
      const rows = await LOCK_RANKS.rows(transaction, [queueId, wanted.filter((id) => id !== null)]);
      const underWay = rows.find(({ state }) => state !== 'queued');
      if (underWay) throw new MessageNotQueuedError(underWay.state);
      const isSame = rows.length === wanted.length && rows.every(({ id }) => wanted.includes(id));
      if (!isSame) throw new OrderMismatchError();
      if (rows.some((row) => row.is_initial && row.id !== wanted[0])) throw new InitialMessageFirstError();
      await SET_RANKS.rows(transaction, [wanted, rows.map(({ rank }) => rank)]);
      await this.waits.wake(transaction, waiting);
    });
  }
}
