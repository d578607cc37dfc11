import { z } from 'zod';
import { uuidText } from '../../../kernel/common';
import type { NewJob } from '../../../kernel/jobs';

/** Name of the job that erases a person, as the database has it. */
export const ERASURE_JOB = 'person-erasure';

export const erasurePayload = z.object({ erasureId: uuidText });

/** That job for one erasure; it waits in one copy only, and one runs at a time. */
export function erasureJob(erasureId: string): NewJob {
  return {
    name: ERASURE_JOB,
    payload: { erasureId },
    key: `erase:${erasureId}`,
    queue: `erase:${erasureId}`,
  };
}
