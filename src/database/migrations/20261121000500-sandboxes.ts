import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sandboxes, and the hosts they live on. */
export class Sandboxes20261121000500 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE sandboxes (
        id uuid NOT NULL PRIMARY KEY,
        org_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
        created_by_user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        driver text NOT NULL,
        host_id text,
        status text NOT NULL
          CONSTRAINT sandboxes_status CHECK (status IN ('STARTING', 'RUNNING', 'PAUSED', 'ERROR', 'MISSING')),
        stopping text CONSTRAINT sandboxes_stopping CHECK (stopping IN ('pause', 'delete')),
        status_detail text,
        launched boolean NOT NULL DEFAULT false,
        port integer,
        base_url text,
        working_dir text,
        sealed_session_key text,
        session_key_digest character(64),
        last_activity_at timestamptz(3) NOT NULL,
        deadline_at timestamptz(3),
        unanswered_since timestamptz(3),
        resumes_with_host boolean NOT NULL DEFAULT false,
        fence bigint NOT NULL DEFAULT 0,
        claimed_until timestamptz(3),
        created_at timestamptz(3) NOT NULL DEFAULT now()
      );
      COMMENT ON COLUMN sandboxes.host_id IS 'null where any worker may run its jobs';
      COMMENT ON COLUMN sandboxes.stopping IS 'what is being done to a sandbox that shows as PAUSED';
      COMMENT ON COLUMN sandboxes.base_url IS 'how the service reaches the agent server';
      COMMENT ON COLUMN sandboxes.resumes_with_host IS 'paused with the service, to be resumed with it';
      CREATE UNIQUE INDEX sandboxes_session_key_digest_key ON sandboxes (session_key_digest);
      CREATE INDEX sandboxes_owner ON sandboxes (created_by_user_id, org_id, created_at DESC, id DESC);
      CREATE INDEX sandboxes_active ON sandboxes (org_id, host_id)
        WHERE status IN ('STARTING', 'RUNNING') OR stopping IS NOT NULL;

      CREATE TABLE sandbox_hosts (
        id text NOT NULL PRIMARY KEY,
        seen_at timestamptz(3) NOT NULL
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE sandboxes, sandbox_hosts');
  }
}
