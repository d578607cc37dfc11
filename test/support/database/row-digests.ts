import type { DataSource } from 'typeorm';

/** What requests write whoever sends them: how many there were, what is under way. */
const NOT_WATCHED = ['request_counts', 'sandbox_hosts', 'worker_heartbeats', 'write_check'];

/** A digest of the rows of each table, apart from when a credential was used. */
export async function rowDigests(db: DataSource): Promise<Record<string, string>> {
  const tables = await db.query<{ name: string }[]>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND NOT tablename = ANY ($1)`,
    [NOT_WATCHED],
  );
  const digests = tables.map(async ({ name }) => {
    const [row] = await db.query<[{ digest: string }]>(
      `SELECT md5(coalesce(string_agg(text, '|' ORDER BY text), '')) AS digest
         FROM (SELECT (to_jsonb(t) - 'last_used_at')::text AS text FROM "${name}" t) rows`,
    );
    return [name, row.digest] as const;
  });
  return Object.fromEntries(await Promise.all(digests));
}
