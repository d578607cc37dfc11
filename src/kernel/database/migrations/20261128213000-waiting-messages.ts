import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

/** A queue stays in its organization, also when its conversation comes. */
const PLACED = `
CREATE FUNCTION pending_messages_placed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.org_id := (SELECT coalesce(c.org_id, q.org_id) FROM message_queues q
                   LEFT JOIN conversations c ON c.id = q.conversation_id WHERE q.id = NEW.queue_id);
  RETURN NEW;
END
$$`;

/** Messages say in which organization they wait. */
export class WaitingMessages20261128213000 implements CompatibleMigration {
  /** Earlier builds write messages, which a trigger places. */
  readonly oldestBuild = 20261127180000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('ALTER TABLE pending_messages ADD COLUMN org_id uuid');
    await runner.query(`COMMENT ON COLUMN pending_messages.org_id
      IS 'of its queue, or the conversation of that; null for what was done before it was kept'`);
    await runner.query(PLACED);
    await runner.query(`CREATE TRIGGER pending_messages_placed BEFORE INSERT ON pending_messages
      FOR EACH ROW EXECUTE FUNCTION pending_messages_placed()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER pending_messages_placed ON pending_messages');
    await runner.query('DROP FUNCTION pending_messages_placed()');
    await runner.query('ALTER TABLE pending_messages DROP COLUMN org_id');
  }
}
