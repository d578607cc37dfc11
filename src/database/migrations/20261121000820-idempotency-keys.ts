import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Requests that carried an `Idempotency-Key`. */
export class IdempotencyKeys20261121000820 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE idempotency_keys (
        user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        key_digest character(64) NOT NULL,
        request_digest character(64) NOT NULL,
        state text NOT NULL
          CONSTRAINT idempotency_keys_state CHECK (state IN ('working', 'answered', 'unknown')),
        status integer,
        answer text,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        PRIMARY KEY (user_id, key_digest)
      );
      COMMENT ON COLUMN idempotency_keys.answer IS 'the JSON text of the answer, without secrets';
      CREATE INDEX idempotency_keys_created ON idempotency_keys (created_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE idempotency_keys');
  }
}
