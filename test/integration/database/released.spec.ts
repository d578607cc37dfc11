import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Client } from 'pg';
import { migrate } from '../../../src/kernel/database/schema/migrate';
import { KEY, RELEASED } from '../../fixtures/released/released';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { startTestApp, type TestApp } from '../../support/service/app';
import { call } from '../../support/service/http';

/** What makes up a schema, a line each, whatever the order in which it came about. */
const SCHEMA = `
  WITH ours AS (SELECT oid FROM pg_namespace WHERE nspname IN ('public', 'graphile_worker'))
  SELECT line FROM (
    SELECT concat_ws(' ', a.attrelid::regclass, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity,
                     a.attgenerated, pg_get_expr(d.adbin, d.adrelid), r.relkind, r.relpersistence, r.reloptions) AS line
      FROM pg_attribute a JOIN pg_class r ON r.oid = a.attrelid
      LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
     WHERE a.attnum > 0 AND NOT a.attisdropped AND r.relkind IN ('r', 'p', 'v', 'S') AND r.relnamespace IN (TABLE ours)
    UNION ALL SELECT pg_get_indexdef(indexrelid) FROM pg_index JOIN pg_class r ON r.oid = indrelid
     WHERE r.relnamespace IN (TABLE ours)
    UNION ALL SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) FROM pg_constraint
     WHERE connamespace IN (TABLE ours)
    UNION ALL SELECT pg_get_functiondef(p.oid) FROM pg_proc p
     WHERE p.pronamespace IN (TABLE ours) AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = p.oid AND deptype = 'e')
    UNION ALL SELECT pg_get_triggerdef(t.oid) FROM pg_trigger t JOIN pg_class r ON r.oid = t.tgrelid
     WHERE NOT t.tgisinternal AND r.relnamespace IN (TABLE ours)
    UNION ALL SELECT concat_ws(' ', t.typname, e.enumlabel) FROM pg_enum e JOIN pg_type t ON t.oid = e.enumtypid
    UNION ALL SELECT concat('migration ', name) FROM schema_migrations
  ) AS lines ORDER BY line COLLATE "C"`;

async function schemaOf({ url }: TestDatabase): Promise<string[]> {
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query<{ line: string }>(SCHEMA)).rows.map(({ line }) => line);
  } finally {
    await client.end();
  }
}

/** A database as a release left it. */
async function restored(file: string): Promise<TestDatabase> {
  const database = await createEmptyDatabase();
  const client = new Client(database.url);
  await client.connect();
  try {
    const dump = gunzipSync(readFileSync(join(RELEASED, file))).toString();
    // Some versions of pg_dump begin and end with commands of psql.
    await client.query(dump.replace(/^\\.*$/gm, ''));
    // Messages for a conversation that nobody starts fail after 24 hours, and the release is older than that.
    const early = 'UPDATE public.message_queues SET created_at = now() WHERE early_key IS NOT NULL';
    expect((await client.query(early)).rowCount).toBe(1);
  } finally {
    await client.end();
  }
  return database;
}

describe.each(readdirSync(RELEASED).filter((file) => file.endsWith('.sql.gz')))(
  'the database of release %s',
  (file) => {
    let database: TestDatabase;
    let app: TestApp | undefined;

    beforeAll(async () => {
      database = await restored(file);
      await migrate(database.url);
    });
    afterAll(async () => {
      await app?.close();
      await database.drop();
    });

    it('gets the schema that a new installation has', async () => {
      const fresh = await createTestDatabase();
      try {
        expect(await schemaOf(database)).toEqual(await schemaOf(fresh));
      } finally {
        await fresh.drop();
      }
    });

    it('keeps what people made: the service finds it by the key that they had', async () => {
      app = await startTestApp({ database });
      const { url } = app;
      const read = async (path: string): Promise<unknown> => {
        const { status, body } = await call({ url }, 'GET', path, { key: KEY });
        expect([path, status]).toEqual([path, 200]);
        return body;
      };
      const { org_id: org } = (await read('/api/keys/current')) as { org_id: string };
      const list = (await read(`/api/organizations/${org}/conversations`)) as { items: { id: string }[] };
      expect(list).toMatchObject({ items: [{ title: 'Recorded', tags: { team: 'build' } }] });
      const { id = '' } = list.items[0] ?? {};
      expect(await read(`/api/v1/conversation/${id}/events/count`)).toBeGreaterThan(4);
      expect(await read('/api/v1/settings/profiles')).toMatchObject({ profiles: [{ name: 'fast' }] });
      expect(await read('/api/v1/secrets/search')).toMatchObject({ items: [{ name: 'TOKEN' }] });
      expect(await read('/api/v1/git/credentials')).toMatchObject({ credentials: [{ username: 'build' }] });
      expect(await read(`/api/organizations/${org}/webhooks`)).toMatchObject({
        items: [{ url: 'https://callbacks.example.com/conversations', kinds: ['conversation.*'] }],
      });
      expect(await read(`/api/v1/conversations/${'0'.repeat(31)}1/pending-messages`)).toMatchObject({
        items: [{ content: [{ type: 'text', text: 'Early' }], state: 'queued' }],
      });
    });
  },
);
