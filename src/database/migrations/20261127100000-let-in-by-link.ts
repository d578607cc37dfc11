import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

/** Keys of those whom an administrator's link let in, and their sandboxes. Earlier builds tell neither from others. */
export class LetInByLink20261127100000 implements CompatibleMigration {
  readonly oldestBuild = 20261121164000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      ALTER TABLE api_keys
        ADD COLUMN let_in_by_user_id uuid
          CONSTRAINT api_keys_let_in_by_user_id_fkey REFERENCES users (id) ON DELETE CASCADE;
      ALTER TABLE sandboxes ADD COLUMN by_link boolean NOT NULL DEFAULT false;
      -- Sessions that links began before: nothing tells the keys that were made in them.
      DELETE FROM api_keys WHERE name = 'Sign-in link' AND prefix LIKE 'link %';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE sandboxes DROP COLUMN by_link;
      ALTER TABLE api_keys DROP COLUMN let_in_by_user_id;
    `);
  }
}
