import { createDataSource, migrate } from '../../src/kernel/database';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database/postgres';

it('a database without an encoding gets the schema, too, and searches in it', async () => {
  const database = await createEmptyDatabase(`ENCODING 'SQL_ASCII' LOCALE_PROVIDER libc LOCALE 'C'`);
  try {
    await migrate(database.url);
    const source = await createDataSource(database.url, 1).initialize();
    try {
      expect(await source.query(`SELECT search_text('ABC')`)).toEqual([{ search_text: 'abc' }]);
    } finally {
      await source.destroy();
    }
  } finally {
    await database.drop();
  }
});

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
});
