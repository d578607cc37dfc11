import { Statement } from '../../../kernel/database';

/** A conversation that is deleted, or is to be. */
export interface FamilyMember {
  readonly id: string;
  readonly orgId: string;
  readonly sandboxId: string | null;
  /**
   * The start that may have made it at its agent server; null once it is known to have. Its own id, which no start has, where
   * the task of a failed start is gone: what the agent server may have had of it was removed when it failed.
   */
  readonly startTaskId: string | null;
}

const START_TASK_ID = `CASE WHEN c.start_state <> 'ready' THEN coalesce(
     (SELECT t.id FROM start_tasks t WHERE t.conversation_id = c.id), c.id) END AS "startTaskId"`;

/** By hand because it is recursive: a conversation ($1) and all below it, as far as they are not deleted. */
export const FAMILY = new Statement<FamilyMember>(
  `WITH RECURSIVE family AS (
     SELECT id FROM conversations WHERE id = $1
     UNION SELECT c.id FROM conversations c JOIN family f ON c.parent_conversation_id = f.id
   )
   SELECT c.id, c.org_id AS "orgId", c.sandbox_id AS "sandboxId", ${START_TASK_ID}
     FROM conversations c JOIN family USING (id) WHERE c.deleted_at IS NULL`,
);

/** By hand because it looks at the starts of conversations as well: those in a sandbox ($1) that are not deleted. */
export const MEMBERS_OF_SANDBOX = new Statement<FamilyMember>(
  `SELECT c.id, c.org_id AS "orgId", c.sandbox_id AS "sandboxId", ${START_TASK_ID}
     FROM conversations c WHERE c.sandbox_id = $1 AND c.deleted_at IS NULL`,
);

/** By hand because the database groups: the conversations below each of several ($1), oldest first. */
export const CHILDREN = new Statement<{ readonly parent: string; readonly children: string[] }>(
  `SELECT parent_conversation_id AS parent, array_agg(id::text ORDER BY created_at, id) AS children
     FROM conversations
    WHERE parent_conversation_id = ANY ($1::uuid[]) AND deleted_at IS NULL
    GROUP BY parent_conversation_id`,
);

/** By hand because it is an aggregate: what becomes of a sandbox ($1) whose conversations are deleted, or never began. */
export const SANDBOX_USE = new Statement<{
  readonly inUse: boolean | null;
  readonly madeForOne: boolean | null;
}>(
  `SELECT bool_or(deleted_at IS NULL AND start_state <> 'failed') AS "inUse", bool_or(own_sandbox) AS "madeForOne"
     FROM conversations WHERE sandbox_id = $1`,
);
