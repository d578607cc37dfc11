import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

/** Credentials of users and organizations for git repositories. */
export class GitCredentials20261122050300 implements CompatibleMigration {
  readonly oldestBuild = 20261121164000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      CREATE TABLE git_credentials (
        id uuid NOT NULL PRIMARY KEY,
        user_id uuid CONSTRAINT git_credentials_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
        org_id uuid CONSTRAINT git_credentials_org_id_fkey REFERENCES organizations (id) ON DELETE CASCADE,
        url_prefix text NOT NULL CONSTRAINT url_prefix_length CHECK (char_length(url_prefix) <= 2048),
        username text NOT NULL CONSTRAINT username_length CHECK (char_length(username) <= 255),
        sealed_password text NOT NULL
          CONSTRAINT sealed_password_bytes CHECK (octet_length(sealed_password) <= 8192),
        CONSTRAINT git_credentials_member_fkey FOREIGN KEY (org_id, user_id)
          REFERENCES org_members (org_id, user_id) ON DELETE CASCADE,
        CONSTRAINT git_credentials_owned CHECK (user_id IS NOT NULL OR org_id IS NOT NULL)
      );
      CREATE UNIQUE INDEX git_credentials_prefix_key ON git_credentials (
        coalesce(user_id, '00000000-0000-0000-0000-000000000000'),
        coalesce(org_id, '00000000-0000-0000-0000-000000000000'), url_prefix);
      CREATE INDEX git_credentials_org_id ON git_credentials (org_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE git_credentials');
  }
}
