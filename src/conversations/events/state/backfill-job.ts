import { z } from 'zod';
import { uuidText } from '../../../kernel/common';
import type { NewJob } from '../../../kernel/jobs';

/** Name of the job that reads missing events from an agent server's log. */
export const BACKFILL_JOB = 'backfill-events';

const MAX_ATTEMPTS = 5;

export const backfillPayload = z.object({ conversationId: uuidText, sandboxId: uuidText });

/** The job that reads the missing events of one conversation; there is at most one that has not begun. */
export function backfillJob(conversationId: string, sandboxId: string): NewJob {
  return {
    name: BACKFILL_JOB,
    payload: { conversationId, sandboxId },
    key: `backfill:${conversationId}`,
    maxAttempts: MAX_ATTEMPTS,
  };
}
