import { Injectable } from '@nestjs/common';
import { InjectDataSource, InjectRepository } from '@nestjs/typeorm';
import { DataSource, Repository } from 'typeorm';
import { parseUuid } from '../../../kernel/common';
import { RunWaits } from '../after-run/run-waits';
import { PendingMessage } from '../record/pending-message.entity';
import { MessageLimits } from './message-limits';
import {
  InitialMessageFirstError,
  MessageNotFoundError,
  MessageNotQueuedError,
  OrderMismatchError,
} from '../record/pending-messages.errors';
import { LOCK_QUEUE, LOCK_RANKS, SET_RANKS } from './queue.query';

/** What may change of a message while it is queued. */
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
