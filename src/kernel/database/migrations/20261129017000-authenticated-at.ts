import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

/** When the people of sessions proved at a provider of identities who they are: that may be long before they came from there. */
export class AuthenticatedAt20261129017000 implements CompatibleMigration {
  readonly oldestBuild = 20261127180000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('ALTER TABLE browser_sessions ADD COLUMN authenticated_at timestamptz(3)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE browser_sessions DROP COLUMN authenticated_at');
  }
}
