import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

/** Finds what a person has deleted, of which an erasure leaves figures only. */
export class ErasedConversationsIndex20261129025030 implements CompatibleMigration {
  readonly transaction = false;
  readonly oldestBuild = 20261127180000;

  async up(runner: QueryRunner): Promise<void> {
    // What an interrupted run left.
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS conversations_user_deleted');
    await runner.query(`CREATE INDEX CONCURRENTLY conversations_user_deleted
      ON conversations (created_by_user_id, id) WHERE deleted_at IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY conversations_user_deleted');
  }
}
