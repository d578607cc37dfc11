import { Client } from 'pg';
import { createDataSource, migrate } from '../../src/kernel/database';
import { buildOf } from '../../src/kernel/database/schema/compatibility';
import { createTestDatabase, type TestDatabase } from '../support/database/postgres';

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
      for (const row of rows) expect(Number(row.oldest_build)).toBeLessThanOrEqual(Number(row.build));
    } finally {
      await source.destroy();
    }
  });

  it('is this one or a newer one: an older one refuses to start, and changes nothing', async () => {
    const client = new Client(database.url);
    await client.connect();
    try {
      await client.query('INSERT INTO schema_compatibility VALUES (29990101000001, 20260101000000)');
      expect(await migrate(database.url)).toEqual([]);
      await client.query('INSERT INTO schema_compatibility VALUES (29990101000002, 29990101000000)');
      await client.query('DELETE FROM schema_migrations WHERE name LIKE $1', ['Baseline%']);
      await expect(migrate(database.url)).rejects.toThrow(
        /^The database belongs to a newer build: it needs build 29990101000000 or newer, and this is build \d{14}\./,
      );
      const { rowCount } = await client.query('SELECT FROM schema_migrations WHERE name LIKE $1', [
        'Baseline%',
      ]);
      expect(rowCount).toBe(0);
    } finally {
      await client.end();
    }
  });
});
