import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

/** Whose listener the key of a sandbox may be sent to; null until it is started or found again. */
export class SandboxListener20261122013000 implements CompatibleMigration {
  /** Earlier builds leave the column as it is. */
  readonly oldestBuild = 20261121164000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      ALTER TABLE sandboxes ADD COLUMN listener_uid integer;
      COMMENT ON COLUMN sandboxes.listener_uid IS 'the user its agent server runs as, where a driver of this service started it';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sandboxes DROP COLUMN listener_uid');
  }
}
