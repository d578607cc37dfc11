import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

/** Lets organizations take turns when events get their positions. */
export class TurnsOfOrganizations20261126153000 implements CompatibleMigration {
  readonly oldestBuild = 20261121164000;
  /** Indexes are made while events are written. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // A replica of an older build that starts meanwhile waits for this migration, and this one for its snapshot.
    await runner.query(`SET lock_timeout = '60s'`);
    // What an interrupted run left may be invalid.
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS domain_events_turns');
    await runner.query(
      'CREATE INDEX CONCURRENTLY domain_events_turns ON domain_events (org_id, id) WHERE position IS NULL',
    );
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS domain_events_without_position');
    await runner.query('RESET lock_timeout');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE INDEX domain_events_without_position ON domain_events (id) WHERE position IS NULL',
    );
    await runner.query('DROP INDEX domain_events_turns');
  }
}
