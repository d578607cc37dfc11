import { createDataSource } from '../../src/kernel/database';
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
});
