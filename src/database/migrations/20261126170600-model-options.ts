import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

/** What else is set about models than name, address and key. Earlier builds leave the columns alone. */
export class ModelOptions20261126170600 implements CompatibleMigration {
  readonly oldestBuild = 20261121164000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      ALTER TABLE agent_settings ADD COLUMN sealed_llm_options text CONSTRAINT sealed_llm_options_bytes
        CHECK (octet_length(sealed_llm_options) <= 262144);
      ALTER TABLE llm_profiles ADD COLUMN sealed_options text CONSTRAINT sealed_options_bytes
        CHECK (octet_length(sealed_options) <= 262144);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE llm_profiles DROP COLUMN sealed_options');
    await runner.query('ALTER TABLE agent_settings DROP COLUMN sealed_llm_options');
  }
}
