import type { Client } from 'pg';

/**
 * For the transaction: texts of values that every server reads in the same way, and no limits of time. What a version of
 * PostgreSQL does not have is left out.
 */
const SETTINGS = `
  SELECT set_config(name, coalesce(wanted.value, '0'), true)
    FROM pg_settings
    LEFT JOIN (VALUES ('DateStyle', 'ISO, YMD'), ('IntervalStyle', 'postgres'), ('TimeZone', 'UTC'),
                      ('bytea_output', 'hex'), ('extra_float_digits', '3')) AS wanted (named, value) ON wanted.named = name
   WHERE wanted.value IS NOT NULL
      OR name IN ('statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout', 'lock_timeout')`;

/**
 * Runs a task in a transaction that is fit for copying tables. When it fails, the connection is closed.
 * @param begin the statement that begins it
 */
export async function inCopySession<T>(client: Client, begin: string, task: () => Promise<T>): Promise<T> {
  await client.query(begin);
  try {
    await client.query(SETTINGS);
    const result = await task();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    // Not by ROLLBACK, which would wait for the end of a text that nobody reads any more.
    await client.end().catch(() => undefined);
    throw error;
  }
}
