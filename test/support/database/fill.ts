import { Client } from 'pg';
import type { TestDatabase } from './postgres';

/** Runs a statement that writes so much that it may take longer than the service's own may. */
export async function fill(database: TestDatabase, sql: string, parameters: unknown[]): Promise<void> {
  const client = new Client(database.url);
  await client.connect();
  try {
    await client.query(sql, parameters);
  } finally {
    await client.end();
  }
}
