import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

/** By what the usage of the users of a page is found, whatever the others have used. */
export class UsageOfUsersIndex20261129032100 implements CompatibleMigration {
  readonly transaction = false;
  readonly oldestBuild = 20261127180000;

  async up(runner: QueryRunner): Promise<void> {
    // What an interrupted run left.
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS usage_by_day_users');
    await runner.query(`CREATE INDEX CONCURRENTLY usage_by_day_users ON usage_by_day (org_id, value, day)
      WHERE dimension = 'user' AND NOT is_rest`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY usage_by_day_users');
  }
}
