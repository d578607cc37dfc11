import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

/** A start goes on in the trace of its request, whoever has its job run again. */
export class TraceOfAStart20261127170000 implements CompatibleMigration {
  readonly oldestBuild = 20261121164000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      ALTER TABLE start_tasks
        ADD COLUMN trace_context jsonb
          CONSTRAINT trace_context_bytes CHECK (octet_length(trace_context::text) <= 2048);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE start_tasks DROP COLUMN trace_context');
  }
}
