import type { Readable } from 'node:stream';
import type { Client } from 'pg';
import { type CopiedTable, columnList, type SequenceState, sequencesIn, tablesIn } from './contents';
import { inCopySession } from './copy-session';

const OWN_MIGRATIONS = 'schema_migrations';
/** The table in which the migrations of an extension are noted. */
const MIGRATIONS_OF = /^([a-z][a-z0-9_]*)_migrations$/;

const SNAPSHOT = 'BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY';

/** A table of a snapshot, as text of COPY. */
export interface TableCopy {
  readonly text: Readable;
  /** How many rows the text has; once it was read. */
  readonly rows: () => number;
}

/** All of a database at one moment. */
export interface DatabaseSnapshot {
  readonly tables: readonly CopiedTable[];
  /** For what else is to be known of the same moment. */
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
