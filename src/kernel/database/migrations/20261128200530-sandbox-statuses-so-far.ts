import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

/**
 * Notes all conversations there are, for jobs to count while the service is at work. A transaction of its own, because that of the
 * triggers locks tables in use: a conversation that changed since is noted twice, and counted once.
 */
export class SandboxStatusesSoFar20261128200530 implements CompatibleMigration {
  readonly oldestBuild = 20261127180000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('SELECT conversation_sandbox_rebuild()');
  }

  async down(): Promise<void> {
    // What was noted stays right.
  }
}
