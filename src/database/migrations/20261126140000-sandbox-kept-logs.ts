import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

/** Logs of sandboxes that failed starts gave back. Older builds delete such sandboxes, if ever, without one. */
export class SandboxKeptLogs20261126140000 implements CompatibleMigration {
  readonly oldestBuild = 20261121164000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      CREATE TABLE sandbox_kept_logs (
        sandbox_id uuid NOT NULL PRIMARY KEY,
        org_id uuid NOT NULL,
        lines text,
        kept_until timestamptz(3) NOT NULL,
        CONSTRAINT sandbox_kept_logs_sandbox_id_fkey FOREIGN KEY (sandbox_id) REFERENCES sandboxes (id) ON DELETE CASCADE,
        CONSTRAINT lines_bytes CHECK (octet_length(lines) <= 65536)
      );
      COMMENT ON COLUMN sandbox_kept_logs.lines IS 'its last lines; null until they were read, which its host does';
      CREATE INDEX sandbox_kept_logs_org_id ON sandbox_kept_logs (org_id, kept_until);
      CREATE INDEX sandbox_kept_logs_kept_until ON sandbox_kept_logs (kept_until);`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE sandbox_kept_logs');
  }
}
