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

/** What decides about a message, and where it goes. */
export interface TargetRow extends TargetConversation, SandboxRow {
  /** A budget without room that it counts in; null where all have some. */
  readonly exhaustedBudget: ExhaustedRow | null;
}

/*
 * By hand, and prepared: a conversation with its sandbox is the only look-up for a message besides those of the caller, which are
 * cached briefly, and planning it takes longer than running it (docs/decisions/0009-sql-by-hand.md).
 */

/** @param asked which conversations, as a condition of `c` */
function targetsOf(asked: string): string {
  return `SELECT c.id, c.org_id AS "orgId", c.created_by_user_id AS "createdByUserId", c.start_state AS "startState",
          c.selected_repository AS "selectedRepository",
          c.started_repository AS "startedRepository", ${exhaustedBudgetOf('c')} AS "exhaustedBudget", s.id AS "sandboxId", ${SANDBOX_COLUMNS}
     FROM conversations c LEFT JOIN sandboxes s ON s.id = c.sandbox_id
    WHERE ${asked} AND c.deleted_at IS NULL`;
}

/** A conversation ($1) with its sandbox. */
export const SEND_TARGET = new PreparedStatement<TargetRow>('send-target', targetsOf('c.id = $1'));

/** Several conversations ($1) with theirs. The planner is not to see how many there are: it would plan anew for few. */
export const SEND_TARGETS = new PreparedStatement<TargetRow>(
  'send-targets',
  targetsOf('c.id = ANY ((SELECT $1::uuid[])::uuid[])'),
);
