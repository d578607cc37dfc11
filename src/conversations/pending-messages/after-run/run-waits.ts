import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { JobQueue } from '../../../kernel/jobs';
import { wakeJob } from '../leases/delivery-job-name';
import { END_PAUSES, LOCK_WAITING_FOR_RUN } from './queue-pauses.query';

/** Queues whose first message waits for the end of a run (docs/contract.md#message-modes). */
@Injectable()
export class RunWaits {
  constructor(private readonly jobs: JobQueue) {}

  /**
   * Locks a queue if its first message waits for the end of a run; to be called before anything of its messages is
   * locked.
   * @returns its id, or nothing
   */
  async lockOf(
    transaction: EntityManager,
    queue: { readonly queueId: string } | { readonly conversationId: string },
  ): Promise<string[]> {
    const values = 'queueId' in queue ? [queue.queueId, null] : [null, queue.conversationId];
    return (await LOCK_WAITING_FOR_RUN.rows(transaction, values)).map(({ id }) => id);
  }

  /** Schedules another look at the queues that {@link lockOf} found, once the transaction commits. */
  async wake(transaction: EntityManager, queueIds: readonly string[]): Promise<void> {
    if (queueIds.length === 0) return;
    const queues = await END_PAUSES.rows(transaction, [queueIds]);
    await this.jobs.addAll(
      transaction,
      queues.map(({ id }) => wakeJob(id)),
    );
  }
}
