import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

/** What clients of the public interface read of a conversation: figures of its model, and what it was started with. */
export class PublicRecord20261122065000 implements CompatibleMigration {
  readonly oldestBuild = 20261121164000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      ALTER TABLE conversations
        ADD COLUMN reasoning_tokens bigint NOT NULL DEFAULT 0,
        ADD COLUMN context_window bigint NOT NULL DEFAULT 0,
        ADD COLUMN per_turn_tokens bigint NOT NULL DEFAULT 0,
        ADD COLUMN max_budget_per_task double precision,
        ADD COLUMN launched_profile_id uuid,
        ADD COLUMN launched_profile_revision integer;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE conversations
        DROP COLUMN reasoning_tokens, DROP COLUMN context_window, DROP COLUMN per_turn_tokens,
        DROP COLUMN max_budget_per_task, DROP COLUMN launched_profile_id, DROP COLUMN launched_profile_revision;
    `);
  }
}
