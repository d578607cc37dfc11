import { z } from 'zod';
import type { NewJob } from '../../jobs';
/** Name of the job that reads missing events from an agent server's log. */
export declare const BACKFILL_JOB = "backfill-events";
export declare const backfillPayload: z.ZodObject<{
    conversationId: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    sandboxId: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
}, z.core.$strip>;
/** The job that reads the missing events of one conversation; there is at most one that has not begun. */
export declare function backfillJob(conversationId: string, sandboxId: string): NewJob;
