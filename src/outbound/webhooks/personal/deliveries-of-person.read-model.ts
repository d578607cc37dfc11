import { Statement } from '../../../kernel/database';

/**
 * Deliveries about the conversations of a person ($1), in an organization ($2) or all, among those after one ($3): at most so many ($4)
 * are looked at; and rows of the audit log of what they did. That a conversation was deleted is told nevertheless: receivers may have something of it. By hand because whose a
 * conversation is belongs to another module.
 */
export const DELIVERIES_OF_PERSON = new Statement<{ readonly id: string; readonly is_theirs: boolean }>(
  `SELECT d.id, coalesce(d.type <> 'conversation.deleted' AND c.created_by_user_id = $1
                          OR d.type = 'audit.recorded' AND d.data::jsonb -> 'actor' ->> 'user_id' = $1::text
                             AND ($2::uuid IS NULL OR w.org_id = $2), false) AS is_theirs
     FROM (SELECT id, type, conversation_id, webhook_id, data FROM webhook_deliveries
            WHERE id > $3 ORDER BY id LIMIT $4) d
     JOIN webhooks w ON w.id = d.webhook_id
     LEFT JOIN conversations c ON c.id = d.conversation_id AND ($2::uuid IS NULL OR c.org_id = $2)
    ORDER BY d.id`,
);
