import { Client } from 'pg';
import { SecretBox } from '../../src/common';
import { createDataSource, migrate } from '../../src/database';
import { buildOf } from '../../src/database/schema/compatibility';
import { migrateJobs } from '../../src/jobs';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database/postgres';
import {
  FIRST_BUILD,
  FIRST_SECRET_KEY,
  firstReleaseDump,
  firstReleaseStatements,
} from '../support/service/first-release';

describe('an upgrade from the first release', () => {
  let database: TestDatabase;
  let client: Client;
  let before: ReadonlyMap<string, readonly Row[]>;

  beforeAll(async () => {
    database = await createEmptyDatabase();
    client = new Client(database.url);
    await client.connect();
    await client.query(await firstReleaseDump());
    await client.query('RESET ALL');
    before = await contents(client);
    await migrate(database.url, migrateJobs);
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it('keeps every row, and every value that a column of before had', async () => {
    const after = await contents(client);
    expect([...before.values()].flat().length).toBeGreaterThan(50);
    for (const [table, rows] of before) {
      if (table === 'schema_migrations') continue;
      const kept = after.get(table) ?? [];
      const lost = rows.filter((row) => !kept.some((found) => includes(found, row)));
      expect({ table, lost }).toEqual({ table, lost: [] });
    }
  });

  it('keeps secrets readable', async () => {
    const { rows } = await client.query<{ id: string; sealed: string }>(
      'SELECT id, sealed_session_key AS sealed FROM sandboxes WHERE sealed_session_key IS NOT NULL',
    );
    expect(rows.length).toBeGreaterThan(0);
    const box = new SecretBox([FIRST_SECRET_KEY]);
    for (const { id, sealed } of rows) expect(box.open(sealed, `sandbox:${id}`)).not.toBe('');
  });

  it('leaves a schema that takes every statement of that release, which may run beside the new one', async () => {
    const statements = await firstReleaseStatements();
    expect(statements.length).toBeGreaterThan(100);
    const refused: string[] = [];
    for (const statement of statements) {
      await client
        .query(`PREPARE old AS ${statement}`)
        .then(() => client.query('DEALLOCATE old'))
        .catch((error: unknown) => refused.push(`${String(error)}: ${statement}`));
    }
    expect(refused).toEqual([]);
  });
});

describe('the build that may run on a schema', () => {
  let database: TestDatabase;
  beforeAll(async () => (database = await createTestDatabase()));
  afterAll(() => database.drop());

  it('is named by each migration', async () => {
    const source = createDataSource(database.url, 1);
    await source.initialize();
    try {
      const build = buildOf(source);
      const rows = await source.query<{ build: string; oldest_build: string }[]>(
        'SELECT build, oldest_build FROM schema_compatibility ORDER BY build',
      );
      const times = source.migrations.map(
        (migration) => /\d{14}$/.exec(migration.name ?? migration.constructor.name)?.[0],
      );
      expect(rows.map((row) => row.build)).toEqual([...new Set(times)].sort());
      expect(Number(rows.at(-1)?.build)).toBe(build);
      for (const row of rows) {
        expect(Number(row.oldest_build)).toBeGreaterThanOrEqual(FIRST_BUILD);
        expect(Number(row.oldest_build)).toBeLessThanOrEqual(Math.max(FIRST_BUILD, Number(row.build)));
      }
    } finally {
      await source.destroy();
    }
  });

  it('is this one or a newer one: an older one refuses to start, and changes nothing', async () => {
    const client = new Client(database.url);
    await client.connect();
    try {
      await client.query('INSERT INTO schema_compatibility VALUES (29990101000001, $1)', [FIRST_BUILD]);
      expect(await migrate(database.url)).toEqual([]);
      await client.query('INSERT INTO schema_compatibility VALUES (29990101000002, 29990101000000)');
      await client.query('DELETE FROM schema_migrations WHERE name LIKE $1', ['WriteCheck%']);
      await expect(migrate(database.url)).rejects.toThrow(
        /^The database belongs to a newer build: it needs build 29990101000000 or newer, and this is build \d{14}\./,
      );
      const { rowCount } = await client.query('SELECT FROM schema_migrations WHERE name LIKE $1', [
        'WriteCheck%',
      ]);
      expect(rowCount).toBe(0);
    } finally {
      await client.end();
    }
  });
});

type Row = Readonly<Record<string, unknown>>;

/** All rows of all tables of the service, by table. */
async function contents(client: Client): Promise<Map<string, readonly Row[]>> {
  const { rows: tables } = await client.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
      WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  );
  const found = new Map<string, readonly Row[]>();
  for (const { name } of tables) {
    const { rows } = await client.query<{ row: Row }>(`SELECT to_jsonb(t) AS row FROM public.${name} t`);
    found.set(
      name,
      rows.map(({ row }) => row),
    );
  }
  return found;
}

function includes(found: Row, row: Row): boolean {
  return Object.entries(row).every(
    ([column, value]) => JSON.stringify(found[column]) === JSON.stringify(value),
  );
}
