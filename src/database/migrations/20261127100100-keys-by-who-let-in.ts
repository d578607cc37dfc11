import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

/** Finds the keys of those whom an administrator's link let in, when the role of the administrator changes. */
export class KeysByWhoLetIn20261127100100 implements CompatibleMigration {
  readonly oldestBuild = 20261121164000;
  /** The index is made while keys are written. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // A replica of an older build that starts meanwhile waits for this migration, and this one for its snapshot.
    await runner.query(`SET lock_timeout = '60s'`);
    // What an interrupted run left may be invalid.
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS api_keys_let_in_by_user_id');
    await runner.query(
      'CREATE INDEX CONCURRENTLY api_keys_let_in_by_user_id ON api_keys (let_in_by_user_id) WHERE let_in_by_user_id IS NOT NULL',
    );
    await runner.query('RESET lock_timeout');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX api_keys_let_in_by_user_id');
  }
}
