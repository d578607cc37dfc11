import type { Role } from '../../../kernel/auth';
import { PreparedStatement } from '../../../kernel/database';

/** Whose a conversation is, and the sandbox that it runs in. */
export interface RunningConversation {
  readonly org_id: string;
  readonly user_id: string;
  readonly by_link: boolean;
  readonly sandbox_id: string;
  /** In the organization. */
  readonly role: Role;
}

/**
 * The conversation with an id ($1), while its sandbox runs and its creator is a member. By hand and prepared because every call
 * to a model asks for it.
 */
export const RUNNING_CONVERSATION = new PreparedStatement<RunningConversation & Record<string, unknown>>(
  'running_conversation',
  `SELECT c.org_id, c.created_by_user_id AS user_id, s.by_link, s.id AS sandbox_id, m.role
     FROM conversations c
     JOIN sandboxes s ON s.id = c.sandbox_id AND s.status = 'RUNNING' AND s.stopping IS NULL
     JOIN users u ON u.id = c.created_by_user_id AND u.disabled_at IS NULL
     JOIN org_members m ON m.org_id = c.org_id AND m.user_id = c.created_by_user_id
    WHERE c.id = $1 AND c.deleted_at IS NULL`,
);
