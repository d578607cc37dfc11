import { z } from 'zod';
import { type NewJob } from '../../jobs';
/** Name of the job that removes a deleted conversation from its agent server, as the database has it. */
export declare const REMOVAL_JOB = "conversation-removed";
export declare const removalPayload: z.ZodObject<{
    conversationId: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    sandboxId: z.ZodOptional<z.ZodNullable<z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>>>;
}, z.core.$strip>;
/**
 * That job for one conversation; it waits in one copy only. Those of one server run one at a time, so that a server
 * that hangs takes one worker's place.
 * @param runAt default: at once
 */
export declare function removalJob(conversationId: string, baseUrl: string | null, runAt?: Date): NewJob;
