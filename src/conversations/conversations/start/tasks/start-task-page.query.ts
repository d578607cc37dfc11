import { columnsOf, Statement } from '../../../../kernel/database';
import { INLINE_BYTES } from '../../../../kernel/http';
import { StartTask } from '../../start-tasks/start-task.entity';

/*
 * By hand because a page begins at a pair of columns, which TypeORM cannot compare, and because requests of megabytes are
 * only read while they are sent (docs/decisions/0009-sql-by-hand.md).
 */

/** A task as it is listed; its request is read later where it is null. */
export type StartTaskRow = Omit<StartTask, 'request' | 'requestBytes' | 'sealedSecrets'> & {
  /** The approximate size of the task in a response. */
  readonly bytes: number;
  readonly requestText: string | null;
};

/** The size of a task in a response without its request and detail. */
const FRAME_BYTES = 1024;

/** Tasks of a condition, newest first, with their sizes and the requests of the beginning. */
function sized(condition: string): string {
  const order = 't.created_at DESC, t.id DESC';
  return `SELECT ${columnsOf(StartTask, 't', ['request', 'sealedSecrets'])}, t.bytes,
                 CASE WHEN sum(t.bytes) OVER (ORDER BY ${order}) <= ${INLINE_BYTES}
                      THEN t.request::text END AS "requestText"
            FROM (SELECT *, request_bytes + coalesce(octet_length(detail), 0) + ${FRAME_BYTES} AS bytes
                    FROM start_tasks t WHERE ${condition}) t
           ORDER BY ${order}`;
}

/**
 * A user's ($1) tasks in an organization ($2), newest first, from one on ($3 and $8: when it was made, and its
 * id), of one conversation ($5) if that is
 * wanted ($4), created then or later ($7) if that is wanted; at most $6.
 */
export const START_TASK_PAGE = new Statement<StartTaskRow>(
  sized(`t.created_by_user_id = $1 AND t.org_id = $2
      AND ($3::timestamptz IS NULL OR (t.created_at, t.id) <= ($3, $8::uuid))
      AND (NOT $4 OR t.conversation_id = $5) AND ($7::timestamptz IS NULL OR t.created_at >= $7)
    ORDER BY t.created_at DESC, t.id DESC LIMIT $6`),
);

/** Those of the tasks ($2) that a user ($1) has created. */
export const START_TASKS_BY_ID = new Statement<StartTaskRow>(
  sized('t.created_by_user_id = $1 AND t.id = ANY ($2)'),
);

/** The requests of tasks ($1), as JSON texts. */
export const START_REQUESTS = new Statement<{ readonly id: string; readonly request: string }>(
  'SELECT id, request::text AS request FROM start_tasks WHERE id = ANY ($1)',
);
