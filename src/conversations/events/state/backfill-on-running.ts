import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ConversationReports } from '../../conversations';
import { type DomainEventOf, OnDomainEvent } from '../../../kernel/domain-events';
import { JobQueue, type NewJob } from '../../../kernel/jobs';
import { z } from 'zod';
import { uuidText } from '../../../kernel/common';

/** Name of the job that reads missing events from an agent server's log. */
export const BACKFILL_JOB = 'backfill-events';

const MAX_ATTEMPTS = 5;

export const backfillPayload = z.object({ conversationId: uuidText, sandboxId: uuidText });

/** The job that reads the missing events of one conversation; there is at most one that has not begun. */
function backfillJob(conversationId: string, sandboxId: string): NewJob {
  return {
    name: BACKFILL_JOB,
    payload: { conversationId, sandboxId },
    key: `backfill:${conversationId}`,
    maxAttempts: MAX_ATTEMPTS,
  };
}

/** Has the missing events of conversations read when their sandbox runs again. */
@Injectable()
export class BackfillOnRunning {
  constructor(
    private readonly conversations: ConversationReports,
    private readonly jobs: JobQueue,
  ) {}

  @OnDomainEvent('sandbox.status_changed')
  async scheduleOnceRunning(
    { sandbox_id, status }: DomainEventOf<'sandbox.status_changed'>,
    transaction: EntityManager,
  ): Promise<void> {
    if (status !== 'RUNNING') return;
    const ids = await this.conversations.idsReadyIn(transaction, sandbox_id);
    await this.jobs.addAll(
      transaction,
      ids.map((id) => backfillJob(id, sandbox_id)),
    );
  }
}
