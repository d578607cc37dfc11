import { escapeIdentifier } from 'pg';
import { ask } from '../database/ask';

/** Tables of which a start or a command itself writes rows. */
const OF_PROCESSES = ['worker_heartbeats'];

/**
 * What a database has, for comparison with another: a digest of the rows of each table, and where each sequence is. Read
 * without the code that copies them.
 */
export async function contentsOf(url: string): Promise<Readonly<Record<string, string>>> {
  const relations = await ask(
    url,
    `SELECT n.nspname AS schema, c.relname AS name, c.relkind AS kind
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind IN ('r', 'p', 'S') AND NOT c.relispartition AND n.nspname IN ('public', 'graphile_worker')
      ORDER BY 1, 2`,
  );
  const contents: Record<string, string> = {};
  for (const { schema, name, kind } of relations) {
    if (OF_PROCESSES.includes(String(name))) continue;
    const relation = `${escapeIdentifier(String(schema))}.${escapeIdentifier(String(name))}`;
    const query =
      kind === 'S'
        ? `SELECT last_value || ' ' || is_called AS content FROM ${relation}`
        : `SELECT count(*) || ' ' || md5(coalesce(string_agg(t::text, E'\\n' ORDER BY t::text), '')) AS content
             FROM ${relation} t`;
    const [row] = await ask(url, query);
    contents[relation] = String(row?.content);
  }
  return contents;
}
