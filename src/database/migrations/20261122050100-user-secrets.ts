import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

/** Secrets that users keep for the sandboxes of their conversations. */
export class UserSecrets20261122050100 implements CompatibleMigration {
  readonly oldestBuild = 20261121164000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      CREATE TABLE user_secrets (
        id uuid NOT NULL PRIMARY KEY,
        user_id uuid NOT NULL CONSTRAINT user_secrets_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
        org_id uuid CONSTRAINT user_secrets_org_id_fkey REFERENCES organizations (id) ON DELETE CASCADE,
        name text NOT NULL CONSTRAINT name_length CHECK (char_length(name) <= 128),
        description text CONSTRAINT description_length CHECK (char_length(description) <= 1000),
        sealed_value text NOT NULL CONSTRAINT sealed_value_bytes CHECK (octet_length(sealed_value) <= 92160),
        CONSTRAINT user_secrets_member_fkey FOREIGN KEY (org_id, user_id)
          REFERENCES org_members (org_id, user_id) ON DELETE CASCADE
      );
      CREATE UNIQUE INDEX user_secrets_name_key ON user_secrets (
        user_id, coalesce(org_id, '00000000-0000-0000-0000-000000000000'), name);
      CREATE INDEX user_secrets_org_id ON user_secrets (org_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE user_secrets');
  }
}
