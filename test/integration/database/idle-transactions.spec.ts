import { createDataSource, isDatabaseUnavailable } from '../../../src/kernel/database';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { eventually } from '../../support/eventually';

const LOCK = 4_711;

describe('a transaction whose process does not go on', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('gives up its locks to others in 10 s, and is told to try again when it goes on', async () => {
    const [suspended, other] = await Promise.all([
      createDataSource(database.url, 1).initialize(),
      createDataSource(database.url, 1).initialize(),
    ]);
    const transaction = suspended.createQueryRunner();
    try {
      await transaction.startTransaction();
      await transaction.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
      const tryLock = (): Promise<{ locked: boolean }[]> =>
        other.query('SELECT pg_try_advisory_xact_lock($1) AS locked', [LOCK]);
      expect(await tryLock()).toEqual([{ locked: false }]);
      const limit: unknown = await transaction.query('SHOW idle_in_transaction_session_timeout');
      expect(limit).toEqual([{ idle_in_transaction_session_timeout: '10s' }]);

      await eventually(async () => expect(await tryLock()).toEqual([{ locked: true }]));

      const told: unknown = await transaction.query('SELECT 1').catch((error: unknown) => error);
      expect(isDatabaseUnavailable(told)).toBe(true);
      expect(await suspended.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    } finally {
      await transaction.release();
      await Promise.all([suspended.destroy(), other.destroy()]);
    }
  });
});
