import { type ExhaustedRow, exhaustedBudgetOf } from '../../../agents/budgets';
import { PreparedStatement } from '../../../kernel/database';
import { SANDBOX_COLUMNS, type SandboxRow } from '../../../sandboxes/sandboxes';
import type { ConversationRow } from '../record/conversation-row';

/**
 * What of a conversation decides about a message to it, and where its agent works. `sandboxId` is null also for an
 * unknown sandbox.
 */
export type TargetConversation = Pick<
  ConversationRow,
  'id' | 'orgId' | 'createdByUserId' | 'startState' | 'sandboxId' | 'selectedRepository' | 'startedRepository'
>;

/** What else decides about a message. */
interface TargetBudget {
  /** A budget without room that it counts in; null where all have some. */
  readonly exhaustedBudget: ExhaustedRow | null;
}

/**
 * A conversation with its sandbox. By hand, and prepared: it is the only look-up for a message besides
 * those of the caller, which are cached briefly, and planning it takes longer than running it
 * (docs/decisions/0009-sql-by-hand.md).
 */
export const SEND_TARGET = new PreparedStatement<TargetConversation & SandboxRow & TargetBudget>(
  'send-target',
  `SELECT c.id, c.org_id AS "orgId", c.created_by_user_id AS "createdByUserId", c.start_state AS "startState",
          c.selected_repository AS "selectedRepository",
          c.started_repository AS "startedRepository", ${exhaustedBudgetOf('c')} AS "exhaustedBudget", s.id AS "sandboxId", ${SANDBOX_COLUMNS}
     FROM conversations c LEFT JOIN sandboxes s ON s.id = c.sandbox_id
    WHERE c.id = $1 AND c.deleted_at IS NULL`,
);
