import type { DataSource } from 'typeorm';

/** The lock that folding takes as well. */
const COUNTS_LOCK = 7_246_002;

/**
 * Counts all conversations anew and replaces the counters, while others go on writing: what the transaction
 * does not see yet is among the changes that it does not see either, and stays there.
 * @returns how many conversations there are
 */
export async function rebuildConversationCounts(database: DataSource): Promise<number> {
  const runner = database.createQueryRunner();
  try {
    await runner.query('SET statement_timeout = 0');
    // Before the transaction, whose view of the data must not be older than the end of a fold.
    await runner.query('SELECT pg_advisory_lock($1)', [COUNTS_LOCK]);
    await runner.startTransaction('REPEATABLE READ');
    const [row] = await runner.manager.query<[{ total: number }]>(
      'SELECT conversation_counts_rebuild()::integer AS total',
    );
    await runner.commitTransaction();
    return row.total;
  } catch (error) {
    if (runner.isTransactionActive) await runner.rollbackTransaction();
    throw error;
  } finally {
    await runner.query('SELECT pg_advisory_unlock_all()');
    await runner.query('RESET statement_timeout');
    await runner.release();
  }
}
