import { z } from 'zod';
import { uuidText } from '../../../kernel/common';
import { type NewJob, queueOfServer } from '../../../kernel/jobs';

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
