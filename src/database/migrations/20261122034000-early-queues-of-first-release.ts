import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

/**
 * Early queues that a replica of the first release makes belong to an organization too, as 20261122010100 did with
 * those it found: to one, so that messages for one id never wait in two queues. Goes when that release is shut out.
 */
export class EarlyQueuesOfFirstRelease20261122034000 implements CompatibleMigration {
  readonly oldestBuild = 20261121164000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      CREATE FUNCTION message_queues_placed() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.org_id := (SELECT current_org_id FROM users WHERE id = NEW.user_id);
        RETURN NEW;
      END $$;
      CREATE TRIGGER message_queues_placed BEFORE INSERT ON message_queues
        FOR EACH ROW WHEN (NEW.early_key IS NOT NULL AND NEW.org_id IS NULL)
        EXECUTE FUNCTION message_queues_placed();
      UPDATE message_queues q SET org_id = u.current_org_id
        FROM users u
       WHERE u.id = q.user_id AND q.early_key IS NOT NULL AND q.org_id IS NULL
         AND NOT EXISTS (SELECT FROM message_queues other
                          WHERE other.user_id = q.user_id AND other.early_key = q.early_key AND other.id <> q.id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER message_queues_placed ON message_queues;
      DROP FUNCTION message_queues_placed`);
  }
}
