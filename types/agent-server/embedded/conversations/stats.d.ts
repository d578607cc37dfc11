import { z } from 'zod';
import type { Usage } from './agent';
/** What a conversation has cost so far, by usage; this server has the one usage `default`. */
export declare const statsSchema: z.ZodObject<{
    usage_to_metrics: z.ZodRecord<z.ZodString, z.ZodObject<{
        model_name: z.ZodString;
        accumulated_cost: z.ZodNumber;
        accumulated_token_usage: z.ZodObject<{
            model: z.ZodString;
            prompt_tokens: z.ZodNumber;
            completion_tokens: z.ZodNumber;
        }, z.core.$loose>;
    }, z.core.$loose>>;
}, z.core.$strip>;
export type Stats = z.infer<typeof statsSchema>;
export declare const NO_STATS: Stats;
/** The statistics after one more answer of a model. */
export declare function addUsage(stats: Stats, usage: Usage, responseId: string): Stats;
