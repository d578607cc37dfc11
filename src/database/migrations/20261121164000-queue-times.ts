import type { MigrationInterface, QueryRunner } from 'typeorm';

/** `queue_message` of 20261121144500, by another clock. */
const queueMessage = (now: string): string => `
  CREATE OR REPLACE FUNCTION queue_message(
    new_message uuid, sender uuid, to_conversation uuid, to_early_key text, blocks text,
    most bigint, claim_ms double precision,
    OUT to_queue uuid, OUT refusal text, OUT place bigint, OUT needs_run boolean,
    OUT new_fence bigint, OUT orphaned_ms double precision
  ) LANGUAGE plpgsql AS $$
  DECLARE
    q message_queues;
    counted bigint;
  BEGIN
    FOR attempt IN 1..2 LOOP
      IF to_conversation IS NOT NULL THEN
        SELECT * INTO q FROM message_queues
         WHERE conversation_id = to_conversation FOR NO KEY UPDATE;
      ELSE
        SELECT * INTO q FROM message_queues
         WHERE user_id = sender AND early_key = to_early_key FOR NO KEY UPDATE;
      END IF;
      EXIT WHEN FOUND OR attempt = 2;
      INSERT INTO message_queues (id, user_id, conversation_id, early_key)
      VALUES (gen_random_uuid(), sender, to_conversation, to_early_key) ON CONFLICT DO NOTHING;
    END LOOP;
    IF q.id IS NULL THEN RETURN; END IF;
    to_queue := q.id;
    IF q.early_key IS NULL AND q.closed_reason IS NOT NULL THEN
      refusal := q.closed_reason;
      RETURN;
    END IF;

    SELECT count(*) + 1, count(*) FILTER (WHERE NOT is_initial) INTO place, counted
      FROM pending_messages WHERE queue_id = q.id AND state IN ('queued', 'delivering');
    IF counted >= most THEN
      place := NULL;
      RETURN;
    END IF;

    needs_run := NOT coalesce(q.claimed_until > ${now} OR q.next_attempt_at > ${now}, false);
    IF needs_run AND claim_ms IS NOT NULL THEN
      new_fence := nextval('job_fences');
      orphaned_ms := extract(epoch FROM ${now} - q.claimed_until) * 1000;
    END IF;
    UPDATE message_queues
       SET last_rank = q.last_rank + 1,
           closed_reason = NULL,
           created_at = CASE WHEN q.closed_reason IS NULL THEN q.created_at ELSE now() END,
           fence = coalesce(new_fence, q.fence),
           claimed_until = CASE WHEN new_fence IS NULL THEN q.claimed_until
                                ELSE ${now} + claim_ms * interval '1 millisecond' END,
           woken = q.woken AND new_fence IS NULL
     WHERE id = q.id;
    INSERT INTO pending_messages (id, queue_id, rank, role, content, run)
    VALUES (new_message, q.id, q.last_rank + 1, 'user', blocks, true);
  END $$;`;

/**
 * Whether a run is planned is judged by the time at which the queue is locked: its job may have run since the
 * transaction began. When a message was sent is not kept, since nothing depends on it.
 */
export class QueueTimes20261121164000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(queueMessage('clock_timestamp()'));
    await runner.query('ALTER TABLE pending_messages DROP COLUMN sent_at');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE pending_messages ADD COLUMN sent_at timestamptz(3)');
    await runner.query(queueMessage('now()'));
  }
}
