import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

/** Each has the order of pages behind what is asked for, and then what else may be: rows that it rules out are not read. */
const INDEXES = {
  audit_log_at: '(org_id, at, position)',
  audit_log_actor: '(org_id, actor_user_id, at, position, outcome)',
  audit_log_actor_action: '(org_id, actor_user_id, action, at, position, outcome)',
  audit_log_action: '(org_id, action, at, position, outcome)',
  audit_log_target:
    '(org_id, target_id, at, position, actor_user_id, action, outcome) WHERE target_id IS NOT NULL',
  audit_log_outcome: "(org_id, outcome, at, position, actor_user_id, action) WHERE outcome <> 'success'",
};

const BEFORE = {
  audit_log_at: '(org_id, at, position)',
  audit_log_actor: '(org_id, actor_user_id, position)',
  audit_log_action: '(org_id, action, position)',
  audit_log_target: '(org_id, target_id, position) WHERE target_id IS NOT NULL',
  audit_log_outcome: "(org_id, outcome, position) WHERE outcome <> 'success'",
};

/** Pages of the audit log in the order of time, whatever they are filtered by (docs/decisions/0064-reading-the-audit-log.md). */
export class AuditLogIndexes20261129023000 implements CompatibleMigration {
  readonly transaction = false;
  readonly oldestBuild = 20261127180000;

  async up(runner: QueryRunner): Promise<void> {
    await make(runner, INDEXES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS audit_log_actor_action');
    await make(runner, BEFORE);
  }
}

async function make(runner: QueryRunner, indexes: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, columns] of Object.entries(indexes)) {
    // That of before, or what an interrupted run left.
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
    await runner.query(`CREATE INDEX CONCURRENTLY ${name} ON audit_log ${columns}`);
  }
}
