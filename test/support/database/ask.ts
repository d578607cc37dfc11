import { Client } from 'pg';

/** Runs SQL on a connection of its own. @returns the rows */
export async function ask(
  url: string,
  sql: string,
  parameters: readonly unknown[] = [],
): Promise<Record<string, unknown>[]> {
  const client = new Client(url);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql, [...parameters])).rows;
  } finally {
    await client.end();
  }
}
