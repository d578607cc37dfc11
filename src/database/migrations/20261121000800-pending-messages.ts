import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Queues of messages: one for each conversation, and one for each id that came before its conversation. */
export class PendingMessages20261121000800 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE message_queues (
        id uuid NOT NULL PRIMARY KEY,
        user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        conversation_id uuid REFERENCES conversations (id) ON DELETE CASCADE,
        early_key text,
        closed_reason text,
        last_rank bigint NOT NULL DEFAULT 0,
        fence bigint NOT NULL DEFAULT 0,
        claimed_until timestamptz(3),
        next_attempt_at timestamptz(3),
        failures integer NOT NULL DEFAULT 0,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT message_queues_belongs CHECK ((conversation_id IS NULL) <> (early_key IS NULL))
      );
      CREATE UNIQUE INDEX message_queues_conversation_id_key ON message_queues (conversation_id);
      CREATE UNIQUE INDEX message_queues_early_key ON message_queues (user_id, early_key);
      COMMENT ON COLUMN message_queues.early_key IS 'the id under which messages came before there was a conversation';

      CREATE TABLE pending_messages (
        id uuid NOT NULL PRIMARY KEY,
        queue_id uuid NOT NULL REFERENCES message_queues (id) ON DELETE CASCADE,
        rank bigint NOT NULL,
        is_initial boolean NOT NULL DEFAULT false,
        role text NOT NULL,
        content text NOT NULL,
        run boolean NOT NULL,
        state text NOT NULL DEFAULT 'queued' CONSTRAINT pending_messages_state
          CHECK (state IN ('queued', 'delivering', 'delivered', 'failed', 'cancelled')),
        attempts integer NOT NULL DEFAULT 0,
        last_error text,
        mark_event_id text,
        sent_at timestamptz(3),
        delivered_at timestamptz(3),
        created_at timestamptz(3) NOT NULL DEFAULT now()
      );
      COMMENT ON COLUMN pending_messages.content IS 'the JSON text of the content blocks, as it came';
      COMMENT ON COLUMN pending_messages.mark_event_id IS 'the last event of the conversation before the message was sent';
      CREATE INDEX pending_messages_queue ON pending_messages (queue_id, rank);
      CREATE INDEX pending_messages_undelivered ON pending_messages (queue_id, rank)
        WHERE state IN ('queued', 'delivering');
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE pending_messages, message_queues');
  }
}
