import type { DataSource } from 'typeorm';
import { ADVISORY_LOCKS, createMaintenanceDataSource, sessionUrl } from '../../../../kernel/database';
import {
  LOCK_COUNTS,
  REBUILD_COMPLETED_COUNTS,
  REBUILD_CONVERSATION_COUNTS,
  REBUILD_SANDBOX_COUNTS,
  REBUILD_SANDBOX_STATUSES,
  UNLOCK_COUNTS,
} from './counters.query';

/**
 * Recounts all conversations and sandboxes and replaces the counters, while others go on writing: what the
 * transaction does not see yet is among the changes that it does not see either, and stays there.
 * @returns how many conversations there are
 */
export async function rebuildConversationCounts(service: DataSource): Promise<number> {
  const database = await createMaintenanceDataSource(sessionUrl(service), 1).initialize();
  const runner = database.createQueryRunner();
  try {
    // Before the transaction, whose view of the data must not be older than the end of a fold.
    await LOCK_COUNTS.rows(runner.manager, [ADVISORY_LOCKS.counts]);
    await runner.startTransaction('REPEATABLE READ');
    const [row] = await REBUILD_CONVERSATION_COUNTS.rows(runner.manager);
    await REBUILD_COMPLETED_COUNTS.rows(runner.manager);
    await REBUILD_SANDBOX_COUNTS.rows(runner.manager);
    await REBUILD_SANDBOX_STATUSES.rows(runner.manager);
    await runner.commitTransaction();
    await UNLOCK_COUNTS.rows(runner.manager, [ADVISORY_LOCKS.counts]);
    return row?.total ?? 0;
  } finally {
    // After a failure, the lock and an open transaction end with the connection.
    await runner.release();
    await database.destroy();
  }
}
