import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

const PARTITIONS = Array.from({ length: 16 }, (_, remainder) => `events_${remainder}`);

/** Lets events be read in the order of their numbers, from any of them on. */
export class EventOrder20261122150000 implements CompatibleMigration {
  readonly oldestBuild = 20261121164000;
  /** Indexes are made while events come in. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // What an interrupted run left: all of it, when it ended before it was recorded, or some.
    await runner.startTransaction();
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('DROP INDEX IF EXISTS events_order');
    await runner.commitTransaction();
    // A replica of an older build that starts meanwhile waits for this migration, and this one for its snapshot.
    await runner.query(`SET lock_timeout = '60s'`);
    for (const partition of PARTITIONS) {
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${partition}_order`);
      await runner.query(
        `CREATE INDEX CONCURRENTLY ${partition}_order ON ${partition} (conversation_id, seq)`,
      );
    }
    await runner.query('RESET lock_timeout');
    await runner.startTransaction();
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('CREATE INDEX events_order ON ONLY events (conversation_id, seq)');
    for (const partition of PARTITIONS)
      await runner.query(`ALTER INDEX events_order ATTACH PARTITION ${partition}_order`);
    await runner.commitTransaction();
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX events_order');
  }
}
