import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

/** Which builds may run on the schema: each start reads it before it changes anything. */
export class SchemaCompatibility20261122003100 implements CompatibleMigration {
  readonly oldestBuild = 20261121164000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE schema_compatibility (build bigint NOT NULL PRIMARY KEY, oldest_build bigint NOT NULL);
      COMMENT ON COLUMN schema_compatibility.build IS 'of which this migration is the newest';
      COMMENT ON COLUMN schema_compatibility.oldest_build IS 'the oldest build that may run after this migration'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE schema_compatibility');
  }
}
