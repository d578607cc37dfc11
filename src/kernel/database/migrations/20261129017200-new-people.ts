import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

const UP = `
CREATE TABLE new_people (
  org_id uuid PRIMARY KEY REFERENCES organizations (id) ON DELETE CASCADE,
  since timestamptz(3) NOT NULL,
  people integer NOT NULL
)`;

/** How many people have come into organizations for the first time by providers of identities, in the hour that goes on. */
export class NewPeople20261129017200 implements CompatibleMigration {
  readonly oldestBuild = 20261127180000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE new_people');
  }
}
