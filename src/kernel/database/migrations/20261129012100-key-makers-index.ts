import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

/** Finds the keys of service accounts that somebody made: few of many. */
export class KeyMakersIndex20261129012100 implements CompatibleMigration {
  readonly transaction = false;
  readonly oldestBuild = 20261127180000;

  async up(runner: QueryRunner): Promise<void> {
    // What an interrupted run left.
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS api_keys_made_by_user_id');
    await runner.query(`CREATE INDEX CONCURRENTLY api_keys_made_by_user_id ON api_keys (made_by_user_id)
      WHERE made_by_user_id IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY api_keys_made_by_user_id');
  }
}
