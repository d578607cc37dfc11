import type { MigrationInterface, QueryRunner } from 'typeorm';

const PARTITIONS = 16;

/** Events of conversations, split by conversation from the start. */
export class Events20261121000700 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE event_logs (
        conversation_id uuid NOT NULL PRIMARY KEY REFERENCES conversations (id) ON DELETE CASCADE,
        last_seq bigint NOT NULL DEFAULT 0
      );
      COMMENT ON TABLE event_logs IS 'numbers the events of a conversation, and is locked by who adds to them';

      CREATE TABLE events (
        conversation_id uuid NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
        id text NOT NULL,
        seq bigint NOT NULL,
        kind text NOT NULL,
        occurred_at timestamptz NOT NULL,
        payload text NOT NULL,
        PRIMARY KEY (conversation_id, id)
      ) PARTITION BY HASH (conversation_id);
      COMMENT ON COLUMN events.payload IS 'the JSON text as it was received';
      CREATE INDEX events_time ON events (conversation_id, occurred_at, seq);
    `);
    for (let remainder = 0; remainder < PARTITIONS; remainder++)
      await runner.query(
        `CREATE TABLE events_${remainder} PARTITION OF events
           FOR VALUES WITH (MODULUS ${PARTITIONS}, REMAINDER ${remainder})`,
      );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE events, event_logs');
  }
}
