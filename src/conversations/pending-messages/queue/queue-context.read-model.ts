import type { ConversationRow } from '../../conversations';
import { type ColumnsOf, PreparedStatement, Statement } from '../../../kernel/database';

/*
 * By hand because what a queue is for depends on conversations, start tasks, users and jobs.
 */

/** A conversation with what decides who may use its queue. */
type OwnerRow = ColumnsOf<ConversationRow, 'createdByUserId' | 'orgId'> & {
  readonly conversation_id: string;
  readonly deleted: boolean;
};

/** A conversation, by its id or its start task's ($1); prepared for every message that is queued. */
export const OWNER = new PreparedStatement<OwnerRow>(
  'message-queue-owner',
  `
  SELECT c.id AS conversation_id, c.created_by_user_id, c.org_id, c.deleted_at IS NOT NULL AS deleted
    FROM conversations c
   WHERE c.id = $1 OR c.id = (SELECT conversation_id FROM start_tasks WHERE id = $1)
   ORDER BY c.id = $1 DESC LIMIT 1`,
);

/** Keeps a user ($1) from starting conversations and from queuing for those that do not exist yet, one at a time. */
export const LOCK_USER = new Statement('SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE');

/** The conversations of the ids ($1) with those who created them, by id. */
export const CREATORS = new Statement<{ readonly id: string; readonly user_id: string }>(
  'SELECT id, created_by_user_id AS user_id FROM conversations WHERE id = ANY ($1) ORDER BY id',
);

/** Queues that could be delivered from and that nobody has touched for an interval ($1), nor planned a job for. */
export const STALLED_QUEUES = new Statement<{ readonly id: string }>(
  `SELECT q.id FROM message_queues q JOIN conversations c ON c.id = q.conversation_id
    WHERE c.start_state = 'ready' AND c.deleted_at IS NULL
      AND coalesce(greatest(q.claimed_until, q.next_attempt_at), '-infinity') < now() - $1::interval
      AND EXISTS (SELECT 1 FROM pending_messages m
                   WHERE m.queue_id = q.id AND m.state IN ('queued', 'delivering')
                     AND m.created_at < now() - $1::interval)
      AND NOT EXISTS (SELECT 1 FROM graphile_worker.jobs j WHERE j.key = 'deliver:' || q.id
                         AND j.attempts < j.max_attempts)
    LIMIT 1000`,
);

/**
 * Which limit of bytes, of a user ($4) or an organization ($5), the owners ($2, $3) of a start ($1) exceed with its request;
 * their counters stay locked. One with little in it is not looked at, as small messages are not.
 */
export const EXCEEDED_BY_START = new Statement<{ readonly exceeded: 'user' | 'organization' | null }>(
  `SELECT message_bytes_exceeded($2, $3, 0, $4, $5) AS exceeded
     FROM start_tasks WHERE id = $1 AND request_bytes > 4096`,
);

/** The bytes of undelivered messages of the queue ($1) and of its owners, whom others wait for. */
export const UNDELIVERED_BYTES = new Statement<{
  readonly early: string;
  readonly of_user: string;
  readonly of_org: string;
}>(
  `SELECT CASE WHEN q.early_key IS NULL THEN 0 ELSE
                 (SELECT coalesce(sum(octet_length(content)), 0) FROM pending_messages m
                   WHERE m.queue_id = q.id AND m.state IN ('queued', 'delivering')) END AS early,
          coalesce((SELECT bytes FROM message_bytes WHERE owner_id = q.user_id), 0) AS of_user,
          coalesce((SELECT bytes FROM message_bytes
                     WHERE owner_id = coalesce(
                       (SELECT org_id FROM conversations WHERE id = q.conversation_id), q.org_id)), 0) AS of_org
     FROM message_queues q WHERE q.id = $1`,
);
