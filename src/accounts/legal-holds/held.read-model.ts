import { queryRow, queryRows, type SqlRunner } from '../../kernel/database';

/*
 * By hand because holds are compared with conversations, sandboxes, members and erasures, which belong to modules that come
 * after this one.
 */

/**
 * Whether any of some conversations is held, with itself, one above it, or who made one of these. Those who did are locked until the transaction ends: a hold comes before what the
 * caller does, and is seen, or after it.
 */
export async function anyConversationHeld(transaction: SqlRunner, ids: readonly string[]): Promise<boolean> {
  await queryRows(
    transaction,
    `WITH RECURSIVE up (id, user_id, above) AS (
       SELECT id, created_by_user_id, parent_conversation_id FROM conversations WHERE id = ANY ($1)
       UNION
       SELECT p.id, p.created_by_user_id, p.parent_conversation_id FROM up JOIN conversations p ON p.id = up.above
     )
     SELECT 1 FROM users WHERE id IN (SELECT user_id FROM up) ORDER BY id FOR NO KEY UPDATE`,
    [ids],
  );
  const held = await queryRow(transaction, 'SELECT 1 FROM unnest($1::uuid[]) id WHERE is_held(id) LIMIT 1', [
    ids,
  ]);
  return held !== null;
}

/** Whether a sandbox, or a conversation in it, is held; its creator is locked as above. */
export async function isSandboxHeld(transaction: SqlRunner, sandboxId: string): Promise<boolean> {
  await queryRows(
    transaction,
    `SELECT 1 FROM users WHERE id = (SELECT created_by_user_id FROM sandboxes WHERE id = $1) FOR NO KEY UPDATE`,
    [sandboxId],
  );
  const held = await queryRow(
    transaction,
    `SELECT 1 FROM sandboxes s
      WHERE s.id = $1
        AND (EXISTS (SELECT 1 FROM legal_holds h
                      WHERE h.lifted_at IS NULL AND h.org_id = s.org_id AND h.user_id = s.created_by_user_id)
          OR EXISTS (SELECT 1 FROM conversations c
                      WHERE c.sandbox_id = s.id AND c.deleted_at IS NULL AND is_held(c.id)))`,
    [sandboxId],
  );
  return held !== null;
}

/** Whether a person, or a conversation of theirs, is held. @param orgId in one organization; null for all */
export async function isPersonHeld(
  transaction: SqlRunner,
  userId: string,
  orgId: string | null,
): Promise<boolean> {
  const held = await queryRow(
    transaction,
    `SELECT 1 FROM legal_holds h
      WHERE h.lifted_at IS NULL AND ($2::uuid IS NULL OR h.org_id = $2)
        AND (h.user_id = $1 OR EXISTS (SELECT 1 FROM conversations c
                                        WHERE c.id = h.conversation_id AND c.created_by_user_id = $1))
      LIMIT 1`,
    [userId, orgId],
  );
  return held !== null;
}

/** Whose a conversation of an organization is; null where it has none of this id, or it is deleted. */
export async function creatorOf(
  transaction: SqlRunner,
  orgId: string,
  conversationId: string,
): Promise<string | null> {
  const row = await queryRow<{ readonly user_id: string }>(
    transaction,
    `SELECT created_by_user_id AS user_id FROM conversations
      WHERE id = $2 AND org_id = $1 AND deleted_at IS NULL`,
    [orgId, conversationId],
  );
  return row?.user_id ?? null;
}

/** Whether a user is a member of an organization, or has made conversations in it. */
export async function isOfOrganization(
  transaction: SqlRunner,
  orgId: string,
  userId: string,
): Promise<boolean> {
  const row = await queryRow(
    transaction,
    `SELECT 1 FROM users u
      WHERE u.id = $2 AND u.erased_at IS NULL
        AND (EXISTS (SELECT 1 FROM org_members m WHERE m.org_id = $1 AND m.user_id = $2)
          OR EXISTS (SELECT 1 FROM conversations c
                      WHERE c.created_by_user_id = $2 AND c.org_id = $1 AND c.deleted_at IS NULL))`,
    [orgId, userId],
  );
  return row !== null;
}

/** Whether what a user has in an organization is being erased. */
export async function isUnderErasure(
  transaction: SqlRunner,
  orgId: string,
  userId: string,
): Promise<boolean> {
  const row = await queryRow(
    transaction,
    `SELECT 1 FROM erasures
      WHERE user_id = $2 AND state = 'working' AND (org_id IS NULL OR org_id = $1)`,
    [orgId, userId],
  );
  return row !== null;
}
