import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

/** Finds the members with an own role of their organization: few of many. */
export class OwnRoleIndex20261129000530 implements CompatibleMigration {
  readonly transaction = false;
  readonly oldestBuild = 20261127180000;

  async up(runner: QueryRunner): Promise<void> {
    // What an interrupted run left.
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS org_members_own_role_id');
    await runner.query(`CREATE INDEX CONCURRENTLY org_members_own_role_id ON org_members (own_role_id)
      WHERE own_role_id IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY org_members_own_role_id');
  }
}
