import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

/** Links and codes that sign people in once. Earlier builds make and take none. */
export class SignInProofs20261126210000 implements CompatibleMigration {
  readonly oldestBuild = 20261121164000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      CREATE TABLE sign_in_proofs (
        id uuid PRIMARY KEY,
        email text NOT NULL CONSTRAINT email_length CHECK (char_length(email) <= 320),
        org_id uuid CONSTRAINT sign_in_proofs_org_id_fkey REFERENCES organizations (id) ON DELETE CASCADE,
        user_id uuid CONSTRAINT sign_in_proofs_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
        made_by_user_id uuid
          CONSTRAINT sign_in_proofs_made_by_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
        token_digest character(64) NOT NULL,
        code_digest character(64),
        tries integer NOT NULL DEFAULT 0,
        created_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        used_at timestamptz(3),
        sent_at timestamptz(3)
      );
      COMMENT ON COLUMN sign_in_proofs.email IS 'lower case';
      COMMENT ON COLUMN sign_in_proofs.org_id IS 'where a link of an administrator lets in; null for a mailed proof';
      CREATE UNIQUE INDEX sign_in_proofs_token_digest_key ON sign_in_proofs (token_digest);
      CREATE INDEX sign_in_proofs_email_created ON sign_in_proofs (email, created_at);
      CREATE INDEX sign_in_proofs_created_at ON sign_in_proofs (created_at);
      CREATE INDEX sign_in_proofs_org_id ON sign_in_proofs (org_id);
      CREATE INDEX sign_in_proofs_user_id ON sign_in_proofs (user_id);
      CREATE INDEX sign_in_proofs_made_by_user_id ON sign_in_proofs (made_by_user_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE sign_in_proofs');
  }
}
