import { Statement } from '../../../kernel/database';

/* By hand because these walk all of a person's conversations in portions, and write columns of many at once. */

const OF_PERSON = `c.created_by_user_id = $1 AND ($2::uuid IS NULL OR c.org_id = $2)`;

/** A conversation as its person gets it. */
export interface ExportedConversation {
  readonly id: string;
}

/** Those of a person ($1), in an organization ($2) or all, after an id ($3), at most so many ($4). */
export const EXPORTED = new Statement<ExportedConversation>(
  `SELECT c.id, c.org_id, c.title, c.llm_model, c.agent_kind, c.execution_status, c.selected_repository,
          c.selected_branch, c.git_provider, c.trigger, c.pr_number, c.pr_merged, c.tags, c.accumulated_cost,
          c.prompt_tokens, c.completion_tokens, c.parent_conversation_id, c.sandbox_id, c.created_at, c.updated_at
     FROM conversations c
    WHERE ${OF_PERSON} AND c.deleted_at IS NULL AND c.id > $3 ORDER BY c.id LIMIT $4`,
);

/** How many a person ($1) has, in an organization ($2) or all. */
export const COUNT = new Statement<{ readonly conversations: number }>(
  `SELECT count(*)::integer AS conversations FROM conversations c WHERE ${OF_PERSON} AND c.deleted_at IS NULL`,
);

/** Those of a person that are to be deleted, at most so many ($3). */
export const LEFT = new Statement<{ readonly id: string }>(
  `SELECT c.id FROM conversations c WHERE ${OF_PERSON} AND c.deleted_at IS NULL LIMIT $3`,
);

/** Those of a person that were deleted, after an id ($3), at most so many ($4). */
export const DELETED = new Statement<{ readonly id: string }>(
  `SELECT c.id FROM conversations c
    WHERE ${OF_PERSON} AND c.deleted_at IS NOT NULL AND c.id > $3 ORDER BY c.id LIMIT $4`,
);

/** Deletes the starts of conversations ($1). */
export const DELETE_STARTS = new Statement(`DELETE FROM start_tasks WHERE conversation_id = ANY ($1)`);

/**
 * Empties deleted conversations ($1) of all but figures and ids, by which late calls of agent servers find that they were deleted. A
 * trigger keeps the repository that is taken away: that goes in the statement after this one.
 */
export const EMPTY = new Statement(
  `UPDATE conversations SET
     title = NULL, reported_title = NULL, forwarded_title = NULL, llm_model = NULL, selected_repository = NULL,
     selected_branch = NULL, git_provider = NULL, pr_number = '{}', pr_merged = NULL, tags = '{}',
     launched_profile_id = NULL, launched_profile_revision = NULL
    WHERE id = ANY ($1) AND deleted_at IS NOT NULL`,
);

export const EMPTY_REPOSITORY = new Statement(
  `UPDATE conversations SET started_repository = '' WHERE id = ANY ($1) AND started_repository <> ''`,
);

/** Deletes what a person ($1) used in an organization ($2) or all of them, told apart, at most so many rows ($3). */
export const FORGET_USAGE = new Statement<{ readonly forgotten: number }>(
  `WITH gone AS (
     DELETE FROM usage_of_users WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM usage_of_users WHERE user_id = $1 AND ($2::uuid IS NULL OR org_id = $2) LIMIT $3))
     RETURNING true)
   SELECT count(*)::integer AS forgotten FROM gone`,
);
