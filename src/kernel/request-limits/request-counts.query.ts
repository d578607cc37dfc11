import { execute, queryRows, type SqlRunner } from '../database';
import type { Bucket } from './buckets';
import { type SharedCount, type UnsharedCount, WINDOW_MS } from './window-counts';

/** A count of a bucket. */
export type InBucket<Count> = Count & { readonly bucket: Bucket };

interface CountRow {
  readonly bucket: Bucket;
  readonly subject: string;
  readonly count: number;
  readonly left_ms: number;
}

/**
 * Adds counts to those of all replicas, and answers what they amount to. By hand: one statement for everything that
 * was counted in a second, by the database's clock, which all replicas share; sorted, so that two replicas lock rows in
 * the same order.
 */
export async function addCounts(
  database: SqlRunner,
  counts: readonly InBucket<UnsharedCount>[],
): Promise<InBucket<SharedCount>[]> {
  const rows = await queryRows<CountRow>(
    database,
    `INSERT INTO request_counts AS c (bucket, subject, count, ends_at)
     SELECT n.bucket, n.subject, n.count, now() + $4 * interval '1 millisecond'
       FROM unnest($1::text[], $2::text[], $3::integer[]) AS n (bucket, subject, count)
      ORDER BY n.bucket, n.subject
     ON CONFLICT (bucket, subject) DO UPDATE
       SET count = EXCLUDED.count + CASE WHEN c.ends_at > now() THEN c.count ELSE 0 END,
           ends_at = CASE WHEN c.ends_at > now() THEN c.ends_at ELSE EXCLUDED.ends_at END
     RETURNING bucket, subject, count,
               (extract(epoch FROM ends_at - now()) * 1000)::double precision AS left_ms`,
    [
      counts.map(({ bucket }) => bucket),
      counts.map(({ subject }) => subject),
      counts.map(({ count }) => count),
      WINDOW_MS,
    ],
  );
  return rows.map(({ left_ms: leftMs, ...row }) => ({ ...row, leftMs }));
}

/** Deletes counts of minutes that are over. By hand: by the database's clock, which set their ends. */
export async function deleteOldCounts(database: SqlRunner): Promise<void> {
  await execute(database, 'DELETE FROM request_counts WHERE ends_at < now()');
}
