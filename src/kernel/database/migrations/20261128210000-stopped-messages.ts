import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

/** Which messages were on their way when their conversation was stopped. */
export class StoppedMessages20261128210000 implements CompatibleMigration {
  /** An earlier build tries such a message again. */
  readonly oldestBuild = 20261127180000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query('ALTER TABLE pending_messages ADD COLUMN stopped boolean NOT NULL DEFAULT false');
    await runner.query(`COMMENT ON COLUMN pending_messages.stopped
      IS 'the conversation was stopped while it was on its way: it is not tried again'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE pending_messages DROP COLUMN stopped');
  }
}
