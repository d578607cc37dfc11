import { z } from 'zod';
import { parseUuid } from './ids';

/**
 * A UUID inside stored JSON, of any version and variant: whatever {@link parseUuid} takes from callers must
 * be readable again from a job. `z.uuid()` is stricter and would fail such a job for good.
 */
export const uuidText = z.string().transform((text, context) => {
  const id = parseUuid(text);
  if (id !== null) return id;
  context.addIssue({ code: 'custom', message: 'must be a UUID' });
  return z.NEVER;
});
