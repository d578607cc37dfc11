import type { SqlRunner } from './sql';

/** Resolves when the database answers a statement, and fails as it does. */
export async function ping(database: SqlRunner): Promise<void> {
  await database.query('SELECT 1');
}
