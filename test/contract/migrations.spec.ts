import { createDataSource } from '../../src/database';
import { createTestDatabase, type TestDatabase } from '../support/database/postgres';

describe('the migrations', () => {
  let database: TestDatabase;
  beforeAll(async () => (database = await createTestDatabase()));
  afterAll(() => database.drop());

  it('create what the entities declare: nothing more and nothing less', async () => {
    const source = createDataSource(database.url, 2);
    await source.initialize();
    try {
      const { upQueries } = await source.driver.createSchemaBuilder().log();
      expect(upQueries.map(({ query }) => query)).toEqual([]);
    } finally {
      await source.destroy();
    }
  });

  it('can be reverted down to the first one, and run again', async () => {
    const source = createDataSource(database.url, 2);
    await source.initialize();
    const tables = async () =>
      (
        await source.query<{ name: string }[]>(
          `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1`,
        )
      ).map(({ name }) => name);
    try {
      const before = await tables();
      for (let left = source.migrations.length; left > 0; left--) await source.undoLastMigration();
      expect(await tables()).toEqual(['schema_migrations']);
      await source.runMigrations();
      expect(await tables()).toEqual(before);
    } finally {
      await source.destroy();
    }
  });

  it('outside of a transaction run again where one ended before it was recorded', async () => {
    const source = createDataSource(database.url, 2);
    await source.initialize();
    try {
      const runner = source.createQueryRunner();
      const alone = source.migrations.filter(({ transaction }) => transaction === false);
      expect(alone.length).toBeGreaterThan(1);
      for (const migration of alone) await migration.up(runner);
      await runner.release();
      const { upQueries } = await source.driver.createSchemaBuilder().log();
      expect(upQueries.map(({ query }) => query)).toEqual([]);
      const invalid = await source.query<unknown[]>('SELECT 1 FROM pg_index WHERE NOT indisvalid');
      expect(invalid).toEqual([]);
    } finally {
      await source.destroy();
    }
  });
});
