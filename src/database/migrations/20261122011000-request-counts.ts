import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

/**
 * How many requests each key, sandbox and address made in the current minute. Not logged: after a crash of the
 * database counting begins anew. `fillfactor` leaves room to update rows in place.
 */
export class RequestCounts20261122011000 implements CompatibleMigration {
  readonly oldestBuild = 20261121164000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE request_counts (
        bucket text NOT NULL,
        subject text NOT NULL,
        count integer NOT NULL,
        ends_at timestamptz(3) NOT NULL,
        PRIMARY KEY (bucket, subject)
      ) WITH (fillfactor = 50);
      ALTER TABLE request_counts SET UNLOGGED;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE request_counts');
  }
}
