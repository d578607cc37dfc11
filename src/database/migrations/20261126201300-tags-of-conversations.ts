import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

/** Lets lists find conversations by their tags. */
export class TagsOfConversations20261126201300 implements CompatibleMigration {
  readonly oldestBuild = 20261121164000;
  /** The index is made while conversations are written. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // A replica of an older build that starts meanwhile waits for this migration, and this one for its snapshot.
    await runner.query(`SET lock_timeout = '60s'`);
    // What an interrupted run left may be invalid.
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS conversations_tags');
    await runner.query(
      'CREATE INDEX CONCURRENTLY conversations_tags ON conversations USING gin (tags jsonb_path_ops) WITH (gin_pending_list_limit = 256) WHERE deleted_at IS NULL',
    );
    await runner.query('RESET lock_timeout');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX conversations_tags');
  }
}
