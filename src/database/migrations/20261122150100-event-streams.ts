import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

/** Streams of events: up to where the log of domain events is gone, and tickets of browsers. */
export class EventStreams20261122150100 implements CompatibleMigration {
  readonly oldestBuild = 20261121164000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      CREATE TABLE domain_events_gone (
        org_id uuid NOT NULL PRIMARY KEY,
        position bigint NOT NULL
      );
      COMMENT ON TABLE domain_events_gone IS 'the last position of an organization that was deleted from the log';

      CREATE TABLE stream_tickets (
        digest character(64) NOT NULL PRIMARY KEY,
        api_key_id integer NOT NULL,
        session_id integer,
        subject text NOT NULL CONSTRAINT subject_length CHECK (char_length(subject) <= 100),
        expires_at timestamptz(3) NOT NULL
      );
      COMMENT ON COLUMN stream_tickets.subject IS 'the stream that it opens';
      CREATE INDEX stream_tickets_expires_at ON stream_tickets (expires_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE stream_tickets, domain_events_gone');
  }
}
