import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

const INDEXES = {
  api_keys_identity_provider_id: 'api_keys (identity_provider_id) WHERE identity_provider_id IS NOT NULL',
  browser_sessions_provider_sid: 'browser_sessions (provider_sid) WHERE provider_sid IS NOT NULL',
  org_credential_rules_only_provider_id:
    'org_credential_rules (only_provider_id) WHERE only_provider_id IS NOT NULL',
};

/** Finds what a provider of identities let in: few of many. */
export class IdentityProviderIndexes20261129013030 implements CompatibleMigration {
  readonly transaction = false;
  readonly oldestBuild = 20261127180000;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, columns] of Object.entries(INDEXES)) {
      // What an interrupted run left.
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await runner.query(`CREATE INDEX CONCURRENTLY ${name} ON ${columns}`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of Object.keys(INDEXES)) await runner.query(`DROP INDEX CONCURRENTLY ${name}`);
  }
}
