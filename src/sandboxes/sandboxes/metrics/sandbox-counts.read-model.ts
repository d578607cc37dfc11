import { Statement } from '../../../kernel/database';
import type { SandboxStatus } from '../record/sandbox-view';

/* By hand because counters are added up that are not ours. */

/** Sandboxes by the status they show. */
export const SANDBOX_COUNTS = new Statement<{ readonly status: SandboxStatus; readonly count: number }>(
  'SELECT status, sum(sandboxes)::int AS count FROM sandbox_counts GROUP BY status',
);
