import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { JobHandlers, JobQueue, type NewJob, queueOfServer } from '../../../kernel/jobs';
import { IDLE_REMOVALS } from './idle-removals.read-model';
import { z } from 'zod';
import { uuidText } from '../../../kernel/common';

/** Name of the job that removes a deleted conversation from its agent server, as the database has it. */
export const REMOVAL_JOB = 'conversation-removed';

export const removalPayload = z.object({ conversationId: uuidText });

/**
 * That job for one conversation; it waits in one copy only. Those of one server run one at a time, so that a server
 * that hangs takes one worker's place.
 * @param runAt default: at once
 */
export function removalJob(conversationId: string, baseUrl: string | null, runAt?: Date): NewJob {
  return {
    name: REMOVAL_JOB,
    payload: { conversationId },
    key: `remove:${conversationId}`,
    ...(baseUrl !== null && { queue: queueOfServer('remove', baseUrl) }),
    ...(runAt !== undefined && { runAt }),
  };
}

const EVERY_SECONDS = 600;

/** Restarts removals whose job was given up or lost: the server may have been away for days. */
@Injectable()
export class IdleRemovals {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly jobs: JobQueue,
    handlers: JobHandlers,
  ) {
    handlers.every('idle-removals', EVERY_SECONDS, () => this.restart());
  }

  private async restart(): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const idle = await IDLE_REMOVALS.rows(transaction);
      await this.jobs.addAll(
        transaction,
        idle.map(({ id, baseUrl }) => removalJob(id, baseUrl)),
      );
    });
  }
}
