import { Client } from 'pg';
import { createTestDatabase } from '../../support/database/postgres';

describe('test databases', () => {
  it('are migrated, empty and apart from each other', async () => {
    const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    const client = new Client(one.url);
    await client.connect();
    try {
      expect(one.url).not.toBe(other.url);
      const { rows } = await client.query(
        'SELECT (SELECT count(*)::int FROM schema_migrations) AS migrations, (SELECT count(*)::int FROM users) AS users',
      );
      expect(rows).toEqual([{ migrations: expect.any(Number) as number, users: 0 }]);
    } finally {
      await client.end();
      await Promise.all([one.drop(), other.drop()]);
    }
  });
});
