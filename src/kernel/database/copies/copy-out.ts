import type { Readable } from 'node:stream';
import type { Client } from 'pg';
import { type CopiedTable, columnList, type SequenceState, sequencesIn, tablesIn } from './contents';

/**
 * For the transaction: texts of values that every server reads in the same way, and no limits of time. What a version of
 * PostgreSQL does not have is left out.
 */
const SETTINGS = `
  SELECT set_config(name, coalesce(wanted.value, '0'), true)
    FROM pg_settings
    LEFT JOIN (VALUES ('DateStyle', 'ISO, YMD'), ('IntervalStyle', 'postgres'), ('TimeZone', 'UTC'),
                      ('bytea_output', 'hex'), ('extra_float_digits', '3')) AS wanted (named, value) ON wanted.named = name
   WHERE wanted.value IS NOT NULL
      OR name IN ('statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout', 'lock_timeout')`;

/**
 * Runs a task in a transaction that is fit for copying tables. When it fails, the connection is closed.
 * @param begin the statement that begins it
 */
export async function inCopySession<T>(client: Client, begin: string, task: () => Promise<T>): Promise<T> {
  await client.query(begin);
  try {
    await client.query(SETTINGS);
    const result = await task();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    // Not by ROLLBACK, which would wait for the end of a COPY that nobody reads any more.
    await client.end().catch(() => undefined);
    throw error;
  }
}

const OWN_MIGRATIONS = 'schema_migrations';
/** The table in which the migrations of an extension are noted. */
const MIGRATIONS_OF = /^([a-z][a-z0-9_]*)_migrations$/;

const SNAPSHOT = 'BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY';

/** A table of a snapshot, as text of COPY. */
interface TableCopy {
  readonly text: Readable;
  /** The number of rows; known once the stream was read. */
  readonly rows: () => number;
}

/** All of a database at one moment. */
export interface DatabaseSnapshot {
  readonly tables: readonly CopiedTable[];
  /** For other reads in the same snapshot. */
  readonly client: Client;
  /** The names of the migrations that have run, of a table that records them. */
  migrations(): Promise<string[]>;
  /** The same of extensions, by their names. */
  extensionMigrations(): Promise<Record<string, string[]>>;
  copy(table: CopiedTable): Promise<TableCopy>;
  sequences(): Promise<SequenceState[]>;
}

/** Reads a database as it is at one moment, while others write. The snapshot ends with the task. */
export function withSnapshot<T>(
  client: Client,
  task: (snapshot: DatabaseSnapshot) => Promise<T>,
): Promise<T> {
  return inCopySession(client, SNAPSHOT, async () => task(new OpenSnapshot(client, await tablesIn(client))));
}

class OpenSnapshot implements DatabaseSnapshot {
  constructor(
    readonly client: Client,
    readonly tables: readonly CopiedTable[],
  ) {}

  migrations(): Promise<string[]> {
    return this.migrationsIn(OWN_MIGRATIONS);
  }

  async extensionMigrations(): Promise<Record<string, string[]>> {
    const found: Record<string, string[]> = {};
    for (const { name, columns } of this.tables) {
      const [, extension] = MIGRATIONS_OF.exec(name) ?? [];
      if (extension === undefined || name === OWN_MIGRATIONS || !columns.includes('name')) continue;
      found[extension] = await this.migrationsIn(name);
    }
    return found;
  }

  async copy(table: CopiedTable): Promise<TableCopy> {
    const { to } = await import('pg-copy-streams');
    // A partitioned table can only be read by a query.
    const text = this.client.query(to(`COPY (SELECT ${columnList(table)} FROM ${table.name}) TO STDOUT`));
    return { text, rows: () => text.rowCount };
  }

  sequences(): Promise<SequenceState[]> {
    return sequencesIn(this.client);
  }

  private async migrationsIn(table: string): Promise<string[]> {
    const { rows } = await this.client.query<{ name: string }>(`SELECT name FROM ${table} ORDER BY id`);
    return rows.map(({ name }) => name);
  }
}
