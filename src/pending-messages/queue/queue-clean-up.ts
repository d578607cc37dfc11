import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { DomainEvents } from '../../domain-events';
import { JobHandlers, JobQueue } from '../../jobs';
import { FORGOTTEN_QUEUES } from './queue-context.read-model';
import { DELETE_CLOSED, DELETE_DONE, EXPIRE_EARLY } from './queue.query';
import { deliveryJob } from '../leases/delivery-job-name';
import { publishMessages } from '../record/message-changes';

const EVERY_SECONDS = 60;
const KEEP_DONE = '7 days';
const EARLY_LIFE = '24 hours';
const EXPIRED = 'No conversation with this id was started within 24 hours.';
const FORGOTTEN_FOR = '60 seconds';

/** Expires early queues, deletes what is done, and restarts queues that nobody delivers from. */
@Injectable()
export class QueueCleanUp {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly jobs: JobQueue,
    private readonly events: DomainEvents,
    handlers: JobHandlers,
  ) {
    handlers.every('queue-clean-up', EVERY_SECONDS, async () => {
      await this.endEarly();
      await this.forget();
      await this.restartForgotten();
    });
  }

  /** Messages for a conversation that nobody starts fail after 24 hours (docs/contract.md#queue-ids). */
  private async endEarly(): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const failed = await EXPIRE_EARLY.rows(transaction, [EARLY_LIFE, EXPIRED]);
      await publishMessages(
        this.events,
        transaction,
        'message.failed',
        failed.map(({ id }) => id),
      );
    });
  }

  /** Delivered messages stay while the outcome of another is unknown: they account for what its log holds. */
  private async forget(): Promise<void> {
    await DELETE_DONE.rows(this.database, [KEEP_DONE]);
    await DELETE_CLOSED.rows(this.database);
  }

  /** A safety net: a queue that could be delivered from and has no job gets one. */
  private async restartForgotten(): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const queues = await FORGOTTEN_QUEUES.rows(transaction, [FORGOTTEN_FOR]);
      await this.jobs.addAll(
        transaction,
        queues.map(({ id }) => deliveryJob(id)),
      );
    });
  }
}
