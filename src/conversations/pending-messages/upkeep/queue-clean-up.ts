import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { MEBIBYTE, takeAll } from '../../../kernel/common';
import { SETTINGS, type Settings } from '../../../kernel/config';
import { DomainEvents } from '../../../kernel/domain-events';
import { JobHandlers, JobQueue } from '../../../kernel/jobs';
import { STALLED_QUEUES } from '../queue/queue-context.read-model';
import { DELETE_CLOSED, EXPIRE_EARLY } from '../queue/queue.query';
import { deliveryJob } from '../leases/delivery-job-name';
import type { RemovedMessages } from '../../conversations';
import { DELETE_DONE, DELETE_DONE_OF, DELETED_AT_ONCE } from './done-messages.query';
import { KeptBytes } from './kept-bytes';

const EVERY_SECONDS = 60;
const EARLY_LIFE = '24 hours';
const EXPIRED = 'No conversation with this id was started within 24 hours.';
const STALLED_FOR = '60 seconds';

/** Expires early queues, deletes finished messages, and restarts queues without a run. */
@Injectable()
export class QueueCleanUp {
  private readonly kept: KeptBytes;

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly jobs: JobQueue,
    private readonly events: DomainEvents,
    @Inject(SETTINGS) private readonly settings: Settings,
    handlers: JobHandlers,
  ) {
    this.kept = new KeptBytes(database, settings.DELIVERED_MEBIBYTES_PER_ORG * MEBIBYTE);
    handlers.every('queue-clean-up', EVERY_SECONDS, async () => {
      // Steps whose time grows with the messages come last, and a failing step does not block the others.
      await takeAll([
        () => this.restartStalled(),
        () => this.endEarly(),
        () => this.deleteDone(),
        () => this.deleteClosed(),
        () => this.kept.keepWithin(),
      ]);
    });
  }

  /** Messages for a conversation that nobody starts fail after 24 hours (docs/contract.md#queue-ids). */
  private async endEarly(): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const failed = await EXPIRE_EARLY.rows(transaction, [EARLY_LIFE, EXPIRED]);
      if (failed.length > 0) await this.events.publishLogged(transaction, 'message.failed');
    });
  }

  /** Delivered messages stay while they account for what is in the log of another, whose outcome is unknown. */
  private async deleteDone(): Promise<void> {
    const days = this.settings.RETENTION_MESSAGES_DAYS ?? this.settings.DELIVERED_DAYS;
    const values = [`${days} days`, DELETED_AT_ONCE.messages, DELETED_AT_ONCE.bytes];
    while ((await DELETE_DONE.rows(this.database, values)).length > 0);
  }

  /**
   * Removes messages that are done, in the caller's transaction; those stay that account for another.
   * @returns how many these were, of how many bytes
   */
  async removeDone(transaction: EntityManager, ids: readonly string[]): Promise<RemovedMessages> {
    const [removed] = await DELETE_DONE_OF.rows(transaction, [ids]);
    return removed ?? { items: 0, bytes: 0 };
  }

  private async deleteClosed(): Promise<void> {
    await DELETE_CLOSED.rows(this.database);
  }

  /** A safety net: a queue that could be delivered from and has no job gets one. */
  private async restartStalled(): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const queues = await STALLED_QUEUES.rows(transaction, [STALLED_FOR]);
      await this.jobs.addAll(
        transaction,
        queues.map(({ id }) => deliveryJob(id)),
      );
    });
  }
}
