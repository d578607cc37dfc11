import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

/** What sandboxes in places that installations share are labelled with. */
export class SandboxInstallation20261122170000 implements CompatibleMigration {
  readonly oldestBuild = 20261121164000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(`
      CREATE TABLE sandbox_installation (id uuid NOT NULL PRIMARY KEY);
      INSERT INTO sandbox_installation (id) VALUES (gen_random_uuid());
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE sandbox_installation');
  }
}
