import type { DataSource } from 'typeorm';
import { ADVISORY_LOCKS, createMaintenanceDataSource, databaseUrl } from '../../../database';

/**
 * Counts all conversations and sandboxes anew and replaces the counters, while others go on writing: what the
 * transaction does not see yet is among the changes that it does not see either, and stays there.
 * @returns how many conversations there are
 */
export async function rebuildConversationCounts(service: DataSource): Promise<number> {
  const database = await createMaintenanceDataSource(databaseUrl(service), 1).initialize();
  const runner = database.createQueryRunner();
  try {
    // Before the transaction, whose view of the data must not be older than the end of a fold.
    await runner.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCKS.counts]);
    await runner.startTransaction('REPEATABLE READ');
    const [row] = await runner.manager.query<[{ total: number }]>(
      'SELECT conversation_counts_rebuild()::integer AS total',
    );
    await runner.query('SELECT sandbox_counts_rebuild()');
    await runner.commitTransaction();
    await runner.query('SELECT pg_advisory_unlock($1)', [ADVISORY_LOCKS.counts]);
    return row.total;
  } finally {
    // After a failure, the lock and an open transaction end with the connection.
    await runner.release();
    await database.destroy();
  }
}
