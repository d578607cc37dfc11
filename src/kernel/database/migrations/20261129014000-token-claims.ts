import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

const UP = `
ALTER TABLE user_identities
  ADD COLUMN claims_issued_at timestamptz(3),
  ADD COLUMN signed_out_at timestamptz(3);
CREATE TABLE ended_identities (
  provider_id uuid NOT NULL REFERENCES identity_providers (id) ON DELETE CASCADE,
  subject text NOT NULL,
  ended_at timestamptz(3) NOT NULL,
  PRIMARY KEY (provider_id, subject),
  CONSTRAINT subject_length CHECK (char_length(subject) <= 255)
)`;

const DOWN = `
DROP TABLE ended_identities;
ALTER TABLE user_identities DROP COLUMN signed_out_at, DROP COLUMN claims_issued_at`;

/** Of which token what is known of an identity is, and which tokens ended with a sign-out at the provider, or with the identity. */
export class TokenClaims20261129014000 implements CompatibleMigration {
  readonly oldestBuild = 20261127180000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
