import { Statement } from '../../../kernel/database';

/*
 * By hand because a lease is taken, renewed and handed over by statements that decide and write at once
 * (docs/decisions/0005-leases-and-fencing.md).
 */

/**
 * Takes the lease of a queue ($1) for the run with a fence ($2), for $3 milliseconds; not if it changes hands at that
 * moment. The row as it was is read without a lock: locked, it could deadlock with others who wait for the queue.
 */
export const ACQUIRE_LEASE = new Statement<{ readonly orphaned_ms: number | null }>(
  `UPDATE message_queues q
      SET fence = $2, claimed_until = now() + $3 * interval '1 millisecond', woken = false
     FROM message_queues AS old
    WHERE old.id = $1 AND q.id = old.id AND q.claimed_until IS NOT DISTINCT FROM old.claimed_until
      AND q.fence < $2 AND (q.claimed_until IS NULL OR q.claimed_until < now())
   RETURNING (extract(epoch FROM now() - old.claimed_until) * 1000)::float8 AS orphaned_ms`,
);

/** The run that has the lease must not pause without reading the queue again ($3). */
export const WAKE_RUN = new Statement(
  `UPDATE message_queues SET woken = woken OR $3
    WHERE id = $1 AND fence < $2 AND claimed_until >= now() RETURNING id`,
);

/** Whether no later run ($2) has had the queue ($1). */
export const HAS_EARLIER_FENCE = new Statement('SELECT 1 FROM message_queues WHERE id = $1 AND fence < $2');

/** Renews the leases of queues ($1) by their runs ($2) for $3 milliseconds; one that is locked is left out. */
export const RENEW_LEASES = new Statement<{ readonly id: string }>(
  `WITH own AS (
     SELECT q.id FROM message_queues q
       JOIN unnest($1::uuid[], $2::bigint[]) AS c (id, fence) ON q.id = c.id AND q.fence = c.fence
      WHERE q.claimed_until IS NOT NULL
        FOR NO KEY UPDATE OF q SKIP LOCKED
   )
   UPDATE message_queues q SET claimed_until = now() + $3 * interval '1 millisecond'
     FROM own WHERE q.id = own.id RETURNING q.id`,
);

/** Queues whose lease ended without being given up. */
export const LAPSED_LEASES = new Statement<{ readonly id: string }>(
  'SELECT id FROM message_queues WHERE claimed_until < now() LIMIT 1000',
);
