import { execute, type SqlRunner } from '../../database';

/**
 * Writes when keys were used last, where that was not written within `everyMs` already. By hand: one
 * statement for all keys of a flush, and replicas skip what another one wrote.
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
