import { execute, type SqlRunner } from '../../../kernel/database';

/**
 * Updates `last_used_at` of keys, unless it was updated within `everyMs`. By hand: one statement for all keys of a
 * flush, in which replicas skip each other's updates.
 */
export async function writeLastUse(
  database: SqlRunner,
  lastUses: ReadonlyMap<number, Date>,
  everyMs: number,
): Promise<void> {
  await execute(
    database,
    `UPDATE api_keys k SET last_used_at = u.at
       FROM unnest($1::int[], $2::timestamptz[]) AS u (id, at)
      WHERE k.id = u.id
        AND (k.last_used_at IS NULL OR k.last_used_at <= u.at - $3 * interval '1 ms')`,
    [[...lastUses.keys()], [...lastUses.values()], everyMs],
  );
}
