import type { Client } from 'pg';
import { StartError } from '../../common';
import { OUR_RELATION, OUR_SCHEMA, tablesIn } from './contents';

/**
 * Marks a database that a restore is filling: until it has all its rows nothing may serve it, and another restore may
 * begin anew. It cannot be one transaction from the first table on, since some migrations cannot run in one.
 */
const MARK = 'unfinished_restore';

/** Empties the schemas of the service, except for objects of PostgreSQL extensions. */
const CLEAR = `
  DO $$
  DECLARE
    statement text;
  BEGIN
    FOREACH statement IN ARRAY ARRAY(
      SELECT format('DROP SCHEMA %I CASCADE', n.nspname)
        FROM pg_namespace n
       WHERE ${OUR_SCHEMA} AND n.nspname <> current_schema()
         AND NOT EXISTS (SELECT FROM pg_extension e WHERE e.extnamespace = n.oid)
       UNION ALL
      SELECT format('DROP %s IF EXISTS %s CASCADE', CASE c.relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, c.oid::regclass)
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE c.relkind IN ('r', 'p', 'S') AND NOT c.relispartition AND ${OUR_RELATION}
         AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid
                                                   AND c.relkind = 'S' AND d.deptype IN ('a', 'i'))
       UNION ALL
      SELECT format('DROP ROUTINE IF EXISTS %s CASCADE', p.oid::regprocedure)
        FROM pg_proc p
       WHERE p.pronamespace = current_schema()::regnamespace
         AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'))
    LOOP
      EXECUTE statement;
    END LOOP;
  END $$`;

/**
 * Makes a database ready for a restore: one without tables, or with those of a restore that did not end, which go.
 * @returns false when it has other tables; then nothing was changed
 */
export async function beginRestore(client: Client): Promise<boolean> {
  await client.query('BEGIN');
  try {
    const isEmpty = (await tablesIn(client)).length === 0;
    if (!isEmpty && !(await isUnfinished(client))) {
      await client.query('ROLLBACK');
      return false;
    }
    if (!isEmpty) await client.query(CLEAR);
    await client.query(`CREATE TABLE ${MARK} AS SELECT now() AS began_at`);
    await client.query('COMMIT');
    return true;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** Which restore of a database has begun and not ended, by when it began; null for none. */
export async function unfinishedRestore(client: Client): Promise<string | null> {
  if (!(await isUnfinished(client))) return null;
  const { rows } = await client.query<{ began: string }>(
    `SELECT extract(epoch FROM began_at)::text AS began FROM ${MARK}`,
  );
  return rows[0]?.began ?? null;
}

/** Takes the mark away; in the transaction that brings the rows. */
export async function endRestore(client: Client): Promise<void> {
  await client.query(`DROP TABLE ${MARK}`);
}

/** @throws StartError when a restore of this database has begun and not ended */
export async function refuseUnfinishedRestore(client: Client): Promise<void> {
  if (await isUnfinished(client))
    throw new StartError(
      'A restore of this database has begun and not ended. Run it again, or start on an empty database.',
    );
}

async function isUnfinished(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>('SELECT to_regclass($1) IS NOT NULL AS found', [
    MARK,
  ]);
  return rows[0]?.found === true;
}
