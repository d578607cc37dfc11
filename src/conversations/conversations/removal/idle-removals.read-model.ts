import { Statement } from '../../../kernel/database';

/**
 * Removals from shared servers that no job is planned for any more. By hand because it looks at the jobs, which are
 * not ours to map.
 */
export const IDLE_REMOVALS = new Statement<{ readonly id: string; readonly baseUrl: string | null }>(
  `SELECT r.conversation_id AS id, r.base_url AS "baseUrl" FROM conversation_removals r
    WHERE r.base_url IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM graphile_worker.jobs j
                       WHERE j.key = 'remove:' || r.conversation_id AND j.attempts < j.max_attempts)
    LIMIT 100`,
);
