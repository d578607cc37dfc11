import { PreparedStatement, Statement } from '../../../kernel/database';

/** By hand because several calls of one agent server may make the same record at once. */
export const ADOPT_CONVERSATION = new Statement(
  `INSERT INTO conversations (id, org_id, created_by_user_id, sandbox_id, start_state, execution_status)
   VALUES ($1, $2, $3, $4, 'ready', 'idle') ON CONFLICT (id) DO NOTHING RETURNING id`,
);

/**
 * By hand because reports come with every batch of events, and one function of the database both compares with what is
 * stored and writes (docs/decisions/0009-sql-by-hand.md). `updated_at` moves with what a client sees, and with new events
 * ($14). Where the gateway for models is on ($15), what metered conversations have spent is not changed. It says whether it has
 * written anything.
 */
export const APPLY_REPORT = new PreparedStatement<{ readonly written: boolean }>(
  'apply-report',
  'SELECT apply_report($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) AS written',
);

/** Moves `updated_at` of conversations ($1), and returns those that others have locked. By hand because it is one statement for all that had new events lately. */
export const TOUCH_CONVERSATIONS = new PreparedStatement<{ readonly id: string }>(
  'touch-conversations',
  'SELECT id FROM touch_conversations($1::uuid[]) AS id',
);
