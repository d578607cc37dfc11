import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

/**
 * The repository that a conversation started with, from the first change of its record on: its agent works in that one's folder
 * all the same. By a trigger, so that changes of older builds are noted, too.
 */
export class StartedRepositories20261126140200 implements CompatibleMigration {
  readonly oldestBuild = 20261121164000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      ALTER TABLE conversations ADD COLUMN started_repository text;
      ALTER TABLE conversations
        ADD CONSTRAINT started_repository_length CHECK (char_length(started_repository) <= 2048) NOT VALID;
      COMMENT ON COLUMN conversations.started_repository IS
        'the one it started with, empty for none, where selected_repository was changed since; kept by a trigger';
      CREATE FUNCTION conversations_keep_repository() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.started_repository := coalesce(OLD.selected_repository, '');
        RETURN NEW;
      END $$;
      CREATE TRIGGER conversations_keep_repository BEFORE UPDATE OF selected_repository ON conversations
        FOR EACH ROW WHEN (OLD.started_repository IS NULL AND OLD.selected_repository IS DISTINCT FROM NEW.selected_repository)
        EXECUTE FUNCTION conversations_keep_repository();`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER conversations_keep_repository ON conversations;
      DROP FUNCTION conversations_keep_repository;
      ALTER TABLE conversations DROP COLUMN started_repository`);
  }
}
