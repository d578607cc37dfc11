import { escapeIdentifier } from 'pg';
import { ask } from './ask';

/** Texts of the rows of each table, in the order of the texts. */
export type EveryRow = ReadonlyMap<string, readonly string[]>;

/** Every column of every row of a database as it is, in its schema and in that of the job queue: to be looked through. */
export async function everyRow(url: string): Promise<EveryRow> {
  const tables = await ask(
    url,
    `SELECT n.nspname AS schema, c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname IN ('public', 'graphile_worker')
      ORDER BY 1, 2`,
  );
  const rows = new Map<string, readonly string[]>();
  for (const table of tables) {
    const [schema, name] = [String(table['schema']), String(table['name'])];
    const from = `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`;
    const found = await ask(url, `SELECT t::text AS text FROM ${from} t ORDER BY 1`);
    rows.set(
      schema === 'public' ? name : `${schema}.${name}`,
      found.map(({ text }) => String(text)),
    );
  }
  return rows;
}

/** What of the rows names somebody or something: ids, addresses, digests. */
export function marksIn(rows: EveryRow): ReadonlySet<string> {
  const all = [...rows.values()].flat().join('\n');
  return new Set(
    all.match(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}|[\da-f]{64}|[\w.+-]+@[\w.-]+/g),
  );
}

/** The rows that have one of some texts, by their tables. */
export function rowsWith(rows: EveryRow, texts: Iterable<string>): EveryRow {
  const wanted = [...texts];
  return new Map(
    [...rows]
      .map(
        ([table, found]) =>
          [table, found.filter((row) => wanted.some((text) => row.includes(text)))] as const,
      )
      .filter(([, found]) => found.length > 0),
  );
}
