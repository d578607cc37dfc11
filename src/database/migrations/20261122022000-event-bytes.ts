import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

/**
 * Counts the bytes of events: of a conversation in its log, which is locked and written with every batch anyway, and
 * of an organization in 16 parts by conversation, so that calls for different conversations seldom wait for each
 * other. Events are deleted with their log only.
 */
export class EventBytes20261122022000 implements CompatibleMigration {
  readonly oldestBuild = 20261121164000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('LOCK TABLE event_logs, events IN SHARE ROW EXCLUSIVE MODE');
    await runner.query(`
      ALTER TABLE event_logs ADD COLUMN bytes bigint NOT NULL DEFAULT 0;
      COMMENT ON COLUMN event_logs.bytes IS 'of the texts of the events';
      CREATE TABLE event_bytes (
        org_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
        part smallint NOT NULL,
        bytes bigint NOT NULL DEFAULT 0,
        PRIMARY KEY (org_id, part)
      ) WITH (fillfactor = 50);
      COMMENT ON TABLE event_bytes IS 'bytes of events of an organization, in parts by conversation';

      CREATE FUNCTION event_bytes_part(conversation uuid) RETURNS smallint LANGUAGE sql IMMUTABLE PARALLEL SAFE
        AS $$ SELECT (uuid_hash(conversation) & 15)::smallint $$;

      CREATE FUNCTION event_logs_removed() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE event_bytes SET bytes = bytes - OLD.bytes
         WHERE org_id = OLD.org_id AND part = event_bytes_part(OLD.conversation_id);
        RETURN NULL;
      END $$;

      ALTER TABLE event_logs ADD COLUMN org_id uuid;
      UPDATE event_logs l SET org_id = c.org_id, bytes = s.bytes
        FROM conversations c, (SELECT conversation_id, sum(octet_length(payload)) AS bytes FROM events GROUP BY 1) s
       WHERE c.id = l.conversation_id AND s.conversation_id = l.conversation_id;
      INSERT INTO event_bytes (org_id, part, bytes)
      SELECT org_id, event_bytes_part(conversation_id), sum(bytes) FROM event_logs
       WHERE org_id IS NOT NULL GROUP BY 1, 2;
      CREATE FUNCTION event_logs_placed() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.org_id := (SELECT org_id FROM conversations WHERE id = NEW.conversation_id);
        RETURN NEW;
      END $$;
      CREATE TRIGGER event_logs_placed BEFORE INSERT ON event_logs
        FOR EACH ROW EXECUTE FUNCTION event_logs_placed();
      CREATE TRIGGER event_logs_removed AFTER DELETE ON event_logs
        FOR EACH ROW EXECUTE FUNCTION event_logs_removed();`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER event_logs_removed ON event_logs;
      DROP TRIGGER event_logs_placed ON event_logs;
      DROP FUNCTION event_logs_removed, event_logs_placed, event_bytes_part;
      DROP TABLE event_bytes;
      ALTER TABLE event_logs DROP COLUMN bytes, DROP COLUMN org_id`);
  }
}
