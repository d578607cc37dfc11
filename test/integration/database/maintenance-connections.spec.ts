import { Client } from 'pg';
import { rebuildConversationCounts } from '../../../src/conversations/conversations/org-list/counters/counter-rebuild';
import { createDataSource, createMaintenanceDataSource, migrate } from '../../../src/kernel/database';
import { createEmptyDatabase, type TestDatabase } from '../../support/database/postgres';

/** What operators set on a database so that no forgotten statement runs for ever. */
async function limitTo(database: TestDatabase, ms: number): Promise<void> {
  const client = new Client(database.url);
  await client.connect();
  try {
    const name = new URL(database.url).pathname.slice(1);
    for (const limit of ['statement_timeout', 'idle_in_transaction_session_timeout', 'lock_timeout'])
      await client.query(`ALTER DATABASE ${name} SET ${limit} = ${ms}`);
  } finally {
    await client.end();
  }
}

describe('work on the schema or on all rows of a database with time limits of its own', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createEmptyDatabase();
    await limitTo(database, 250);
  });
  afterAll(() => database.drop());

  it('is not ended by them', async () => {
    await migrate(database.url);
    const service = await createDataSource(database.url, 1).initialize();
    await expect(rebuildConversationCounts(service)).resolves.toBe(0);
    await service.destroy();
    const patient = await createMaintenanceDataSource(database.url, 1).initialize();
    await expect(patient.query('SELECT pg_sleep(0.5)')).resolves.toHaveLength(1);
    await patient.destroy();
  });
});
