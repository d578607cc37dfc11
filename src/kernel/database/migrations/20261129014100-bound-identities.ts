import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

const UP = `
ALTER TABLE user_identities ADD COLUMN bound_by_user_id uuid REFERENCES users (id) ON DELETE CASCADE`;

/** Without it nobody bounds what tokens of these may do. */
const DOWN = `
DELETE FROM user_identities WHERE bound_by_user_id IS NOT NULL;
ALTER TABLE user_identities DROP COLUMN bound_by_user_id`;

/** Who had tokens of a provider act for a service account; builds before this one let in nobody of these, who have no address. */
export class BoundIdentities20261129014100 implements CompatibleMigration {
  readonly oldestBuild = 20261127180000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
