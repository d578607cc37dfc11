import type { Writable } from 'node:stream';
import type { Client } from 'pg';
import { type CopiedTable, columnList, OUR_RELATION, type SequenceState, tablesIn } from './contents';
import { inCopySession } from './copy-out';
import { endRestore } from './unfinished-restore';

/** A table that is being written. */
export interface TableLoad {
  readonly text: Writable;
  /** The number of rows written; known once the stream has ended. */
  readonly rows: () => number;
}

/** A database that gets its rows. */
export interface DatabaseLoad {
  /** @param table of the snapshot; takes text of COPY */
  copy(table: CopiedTable): Promise<TableLoad>;
  /** Restores the positions of sequences; unknown ones are skipped. */
  setSequences(states: readonly SequenceState[]): Promise<void>;
  /** For checks before the transaction is committed. */
  readonly client: Client;
}

interface ForeignKey {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

/**
 * Replaces the rows of tables, in one transaction: all of them, or none. Triggers of the schema do not run, since what they
 * would write is copied, too; foreign keys are checked at the end, all at once.
 * @param tables those that get rows; their own are removed
 * @param beforeCommit is called once all rows are there and fit together
 */
export function withLoad<T>(
  client: Client,
  tables: readonly CopiedTable[],
  task: (load: DatabaseLoad) => Promise<T>,
  beforeCommit: () => Promise<void>,
): Promise<T> {
  return inCopySession(client, 'BEGIN', async () => {
    const keys = await foreignKeys(client);
    for (const { table, name } of keys) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
    const triggered = await tablesWithTriggers(client);
    for (const name of triggered) await client.query(`ALTER TABLE ${name} DISABLE TRIGGER USER`);
    if (tables.length > 0) await client.query(`TRUNCATE ${tables.map(({ name }) => name).join(', ')}`);
    const result = await task(new OpenLoad(client));
    for (const name of triggered) await client.query(`ALTER TABLE ${name} ENABLE TRIGGER USER`);
    for (const { table, name, definition } of keys)
      await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
    await beforeCommit();
    await endRestore(client);
    return result;
  });
}

/** Those of the tables that the schema of a database lacks. */
export async function missingTables(
  client: Client,
  tables: readonly CopiedTable[],
): Promise<readonly CopiedTable[]> {
  const there = new Set((await tablesIn(client)).map(({ name }) => name));
  return tables.filter(({ name }) => !there.has(name));
}

/** Has PostgreSQL look at the rows, for its plans. */
export async function analyze(client: Client): Promise<void> {
  for (const { name } of await tablesIn(client)) await client.query(`ANALYZE ${name}`);
}

class OpenLoad implements DatabaseLoad {
  constructor(readonly client: Client) {}

  async copy(table: CopiedTable): Promise<TableLoad> {
    const { from } = await import('pg-copy-streams');
    const text = this.client.query(from(`COPY ${table.name} (${columnList(table)}) FROM STDIN`));
    return { text, rows: () => text.rowCount };
  }

  async setSequences(states: readonly SequenceState[]): Promise<void> {
    for (const { name, last_value, is_called } of states)
      await this.client.query(
        'SELECT setval(to_regclass($1), $2::bigint, $3) WHERE to_regclass($1) IS NOT NULL',
        [name, last_value, is_called],
      );
  }
}

async function foreignKeys(client: Client): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name, pg_get_constraintdef(k.oid) AS definition
       FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE k.contype = 'f' AND k.conparentid = 0 AND ${OUR_RELATION}
      ORDER BY 1, 2`,
  );
  return rows;
}

/** With partitions, which have triggers of their own. */
async function tablesWithTriggers(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT DISTINCT tgrelid::regclass::text AS name
       FROM pg_trigger g JOIN pg_class c ON c.oid = g.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE NOT g.tgisinternal AND c.relkind IN ('r', 'p') AND ${OUR_RELATION}
      ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}
