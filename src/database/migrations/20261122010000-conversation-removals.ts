import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

/** Deleted conversations that their agent servers may still have. */
export class ConversationRemovals20261122010000 implements CompatibleMigration {
  readonly oldestBuild = 20261121164000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE conversation_removals (
        conversation_id uuid NOT NULL PRIMARY KEY,
        sandbox_id uuid NOT NULL,
        driver text,
        base_url text,
        start_task_id uuid,
        settles_at timestamptz(3) NOT NULL
      );
      CREATE INDEX conversation_removals_sandbox_id ON conversation_removals (sandbox_id);
      COMMENT ON COLUMN conversation_removals.driver IS 'the driver of the server that the sandbox shares with others';
      COMMENT ON COLUMN conversation_removals.base_url IS 'where that server is, also when the sandbox is long gone';
      COMMENT ON COLUMN conversation_removals.start_task_id
        IS 'the start that may have made it: what carries another tag is not ours';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE conversation_removals');
  }
}
