import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

/** The row that `/ready` changes to prove that the database takes writes. */
export class WriteCheck20261122003000 implements CompatibleMigration {
  readonly oldestBuild = 20261121164000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE write_check (
        only_row boolean NOT NULL DEFAULT true PRIMARY KEY CHECK (only_row),
        written_at timestamptz NOT NULL DEFAULT clock_timestamp()
      ) WITH (fillfactor = 10);
      INSERT INTO write_check DEFAULT VALUES;
      COMMENT ON TABLE write_check IS 'changed by probes, to see whether the database takes writes'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE write_check');
  }
}
