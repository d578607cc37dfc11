import { Statement } from '../../../kernel/database';

/*
 * By hand because each statement finds queues by their first messages, and locks them.
 */

/**
 * Ends the pauses of queues ($1) that have messages; one whose outcome is unknown keeps its settling time. A run that has
 * the queue may be about to pause for what it read before: it has to read the queue again, as the job that wakes it comes
 * too late when the run has paused by then.
 */
export const END_PAUSES = new Statement<{ readonly id: string }>(
  `UPDATE message_queues q
      SET failures = 0,
          woken = q.woken OR q.claimed_until IS NOT NULL,
          next_attempt_at = CASE WHEN EXISTS (SELECT 1 FROM pending_messages m
                                               WHERE m.queue_id = q.id AND m.state = 'delivering')
                                 THEN q.next_attempt_at END
    WHERE q.id = ANY ($1)
      AND EXISTS (SELECT 1 FROM pending_messages m
                   WHERE m.queue_id = q.id AND m.state IN ('queued', 'delivering'))
    RETURNING q.id`,
);

/** Locks the queue ($1), or that of a conversation ($2), whose first message waits for the end of a run. */
export const LOCK_WAITING_FOR_RUN = new Statement<{ readonly id: string }>(
  `SELECT q.id FROM message_queues q
    WHERE (q.id = $1 OR q.conversation_id = $2)
      AND 'after_run' = (SELECT m.mode FROM pending_messages m
                          WHERE m.queue_id = q.id AND m.state IN ('queued', 'delivering')
                          ORDER BY m.state = 'delivering' DESC, m.rank LIMIT 1)
      FOR NO KEY UPDATE OF q`,
);
