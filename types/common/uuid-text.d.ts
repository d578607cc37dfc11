import { z } from 'zod';
/**
 * A UUID inside stored JSON, of any version and variant: whatever {@link parseUuid} takes from callers must
 * be readable again from a job. `z.uuid()` is stricter and would fail such a job for good.
 */
export declare const uuidText: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
