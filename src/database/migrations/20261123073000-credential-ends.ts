import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

/** When the credentials end that sessions and tickets were made with: those of extensions end before their keys. */
export class CredentialEnds20261123073000 implements CompatibleMigration {
  readonly oldestBuild = 20261121164000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      ALTER TABLE browser_sessions ADD COLUMN credential_expires_at timestamptz(3);
      ALTER TABLE stream_tickets ADD COLUMN credential_expires_at timestamptz(3);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE stream_tickets DROP COLUMN credential_expires_at');
    await runner.query('ALTER TABLE browser_sessions DROP COLUMN credential_expires_at');
  }
}
