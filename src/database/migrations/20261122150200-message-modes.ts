import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

/** `queue_message` for a message that waits for the end of a run; all others are queued as before. */
const QUEUE_AFTER_RUN = `
  CREATE FUNCTION queue_after_run(
    new_message uuid, sender uuid, to_conversation uuid, to_early_key text, to_org uuid, blocks text,
    most bigint, claim_ms double precision,
    early_bytes bigint, user_bytes bigint, org_bytes bigint,
    OUT to_queue uuid, OUT refusal text, OUT place bigint, OUT needs_run boolean,
    OUT new_fence bigint, OUT orphaned_ms double precision, OUT exceeded text
  ) LANGUAGE plpgsql AS $$
  BEGIN
    SELECT * INTO to_queue, refusal, place, needs_run, new_fence, orphaned_ms, exceeded
      FROM queue_message(new_message, sender, to_conversation, to_early_key, to_org, blocks,
                         most, claim_ms, early_bytes, user_bytes, org_bytes);
    UPDATE pending_messages SET mode = 'after_run' WHERE id = new_message;
  END $$;`;

/**
 * How queued messages go to an agent that runs. Replicas of older releases do not know of modes: while they deliver
 * too, a message may go to a running agent although it should have waited.
 */
export class MessageModes20261122150200 implements CompatibleMigration {
  readonly oldestBuild = 20261121164000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      ALTER TABLE pending_messages ADD COLUMN mode text NOT NULL DEFAULT 'steer'
        CONSTRAINT pending_messages_mode CHECK (mode IN ('steer', 'after_run'))`);
    await runner.query(QUEUE_AFTER_RUN);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION queue_after_run;
      ALTER TABLE pending_messages DROP COLUMN mode`);
  }
}
