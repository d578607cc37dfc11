import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

/**
 * The size of each new start task's request, which the database knows of a `jsonb` only after making it a text. Tasks that
 * are there already have none: theirs is computed when they are listed.
 */
export class StartRequestBytes20261122033000 implements CompatibleMigration {
  /** Earlier builds leave the column to the trigger. */
  readonly oldestBuild = 20261121164000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      ALTER TABLE start_tasks ADD COLUMN request_bytes integer;
      COMMENT ON COLUMN start_tasks.request_bytes IS
        'of the request as text, kept by a trigger; null for tasks of an older release';
      CREATE FUNCTION start_tasks_sized() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.request_bytes := octet_length(NEW.request::text);
        RETURN NEW;
      END $$;
      CREATE TRIGGER start_tasks_sized BEFORE INSERT OR UPDATE OF request ON start_tasks
        FOR EACH ROW EXECUTE FUNCTION start_tasks_sized();`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER start_tasks_sized ON start_tasks;
      DROP FUNCTION start_tasks_sized;
      ALTER TABLE start_tasks DROP COLUMN request_bytes`);
  }
}
