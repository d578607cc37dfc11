import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

/** Finds the identities of service accounts that somebody bound: few of many. */
export class BoundIdentitiesIndex20261129014130 implements CompatibleMigration {
  readonly transaction = false;
  readonly oldestBuild = 20261127180000;

  async up(runner: QueryRunner): Promise<void> {
    // What an interrupted run left.
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS user_identities_bound_by_user_id');
    await runner.query(`CREATE INDEX CONCURRENTLY user_identities_bound_by_user_id
      ON user_identities (bound_by_user_id) WHERE bound_by_user_id IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY user_identities_bound_by_user_id');
  }
}
