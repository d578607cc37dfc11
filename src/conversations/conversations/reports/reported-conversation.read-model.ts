import { PreparedStatement } from '../../../kernel/database';
import type { ReportedConversation } from './reported-state';

/**
 * A conversation ($1), deleted ones too, with the driver of its sandbox. By hand because it is asked with every call
 * of an agent server, and one statement answers it (docs/decisions/0009-sql-by-hand.md).
 */
export const REPORTED_CONVERSATION = new PreparedStatement<ReportedConversation>(
  'reported-conversation',
  `SELECT c.sandbox_id AS "sandboxId", c.org_id AS "orgId", s.driver,
          c.deleted_at IS NOT NULL OR c.start_state = 'failed' AS ended
     FROM conversations c LEFT JOIN sandboxes s ON s.id = c.sandbox_id WHERE c.id = $1`,
);
