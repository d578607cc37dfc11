import { DataSource } from 'typeorm';
import { redactDatabaseError } from '../../../src/kernel/database';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';

const WRITTEN = 'somebody@example.com "wrote"';

describe('what is reported of a statement that PostgreSQL refused', () => {
  let database: TestDatabase;
  let db: DataSource;
  beforeAll(async () => {
    database = await createTestDatabase();
    db = await new DataSource({ type: 'postgres', url: database.url }).initialize();
  });
  afterAll(async () => {
    await db.destroy();
    await database.drop();
  });

  const reportedOf = async (sql: string, ...values: unknown[]) => {
    try {
      await db.query(sql, values);
    } catch (error) {
      return redactDatabaseError(error as Error);
    }
    throw new Error('The statement was not refused.');
  };

  it.each([
    ['SELECT $1::uuid', { code: '22P02', message: 'invalid input syntax for type uuid: "…"' }],
    ['SELECT $1::int', { code: '22P02' }],
    ['SELECT $1::timestamptz', { code: '22007' }],
    ['SELECT $1::jsonb', { code: '22P02' }],
    ['SELECT $1::text[]', { code: '22P02' }],
    [
      'INSERT INTO users (id, email) VALUES (gen_random_uuid(), $1), (gen_random_uuid(), $1)',
      { code: '23505', table: 'users' },
    ],
    ['SELECT $1, missing FROM users', { code: '42703', message: 'column "missing" does not exist' }],
  ])('%s: never a value', async (sql, expected) => {
    const reported = await reportedOf(sql, WRITTEN);
    expect(reported).toMatchObject(expected);
    expect(JSON.stringify(reported)).not.toMatch(/somebody|example|wrote/);
  });

  it('is nothing for an error of another kind', () => {
    expect(redactDatabaseError(new Error('another'))).toBeNull();
  });
});
