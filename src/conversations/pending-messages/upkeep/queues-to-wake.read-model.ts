import { Statement } from '../../../kernel/database';

/*
 * By hand because owner and sandbox of a queue come from its conversation, and the statement locks the queues it finds.
 */

/** Locks the queues of the conversations in a sandbox ($1), empty ones too. */
export const LOCK_QUEUES_OF_SANDBOX = new Statement<{ readonly id: string }>(
  `SELECT q.id FROM message_queues q JOIN conversations c ON c.id = q.conversation_id
    WHERE c.sandbox_id = $1 AND c.deleted_at IS NULL ORDER BY q.id FOR NO KEY UPDATE OF q`,
);

/** The conversations in a sandbox ($1), deleted ones too. */
export const CONVERSATIONS_OF_SANDBOX = new Statement<{ readonly id: string }>(
  'SELECT id FROM conversations WHERE sandbox_id = $1',
);

/** The queues of a user ($2) in an organization ($1) that have messages. */
export const QUEUES_OF_MEMBER = new Statement<{ readonly id: string }>(
  `SELECT q.id FROM message_queues q JOIN conversations c ON c.id = q.conversation_id
    WHERE c.org_id = $1 AND c.created_by_user_id = $2
      AND EXISTS (SELECT 1 FROM pending_messages m
                   WHERE m.queue_id = q.id AND m.state IN ('queued', 'delivering'))`,
);

/**
 * Locks the queues of an organization ($1) that have messages and wait for a time, or that a run delivers from, which may be about
 * to wait.
 */
export const LOCK_PAUSED_QUEUES_OF = new Statement<{ readonly id: string }>(
  `SELECT q.id FROM message_queues q
    WHERE q.id IN (SELECT m.queue_id FROM pending_messages m
                    WHERE m.org_id = $1 AND m.state IN ('queued', 'delivering'))
      AND (q.next_attempt_at IS NOT NULL OR q.claimed_until IS NOT NULL)
    ORDER BY q.id FOR NO KEY UPDATE`,
);
