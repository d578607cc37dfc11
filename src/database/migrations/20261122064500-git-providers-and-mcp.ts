import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

/** Which provider a git credential is for, and the MCP servers of users. */
export class GitProvidersAndMcp20261122064500 implements CompatibleMigration {
  readonly oldestBuild = 20261121164000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      ALTER TABLE git_credentials ADD COLUMN git_provider text CONSTRAINT git_provider_known
        CHECK (git_provider IN ('github', 'gitlab', 'bitbucket', 'forgejo', 'azure_devops'));
      ALTER TABLE agent_settings ADD COLUMN sealed_mcp_config text CONSTRAINT sealed_mcp_config_bytes
        CHECK (octet_length(sealed_mcp_config) <= 131072);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE agent_settings DROP COLUMN sealed_mcp_config;
      ALTER TABLE git_credentials DROP COLUMN git_provider;
    `);
  }
}
