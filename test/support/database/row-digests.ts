import type { DataSource } from 'typeorm';

/** What requests write whoever sends them: how many there were, what is under way. */
const NOT_WATCHED = [
  'audit_log',
  'audit_personal',
  'audit_seals',
  'request_counts',
  'sandbox_hosts',
  'worker_heartbeats',
  'write_check',
];

/** What is written of requests that are refused, too. */
const OF_AUDIT_LOG = `FROM domain_events t WHERE kind <> 'audit.recorded'`;

/**
 * A digest of the rows of each table, apart from when a credential was used, from the positions that events get a little later, and
 * from the audit log.
 */
export async function rowDigests(db: DataSource): Promise<Record<string, string>> {
  const tables = await db.query<{ name: string }[]>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND NOT tablename = ANY ($1)`,
    [NOT_WATCHED],
  );
  const digests = tables.map(async ({ name }) => {
    const [row] = await db.query<[{ digest: string }]>(
      `SELECT md5(coalesce(string_agg(text, '|' ORDER BY text), '')) AS digest
         FROM (SELECT (to_jsonb(t) - 'last_used_at' - 'position')::text AS text ${fromOf(name)}) rows`,
    );
    return [name, row.digest] as const;
  });
  return Object.fromEntries(await Promise.all(digests));
}

function fromOf(table: string): string {
  return table === 'domain_events' ? OF_AUDIT_LOG : `FROM "${table}" t`;
}
