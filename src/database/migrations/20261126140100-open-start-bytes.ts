import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

const OPEN = `status NOT IN ('READY', 'ERROR')`;

/** The function of 20261122034000, with what counts beside messages. */
const exceeded = (starts: (owner: string, column: string) => string): string => `
  CREATE OR REPLACE FUNCTION message_bytes_exceeded(
    sender uuid, org uuid, added bigint, user_bytes bigint, org_bytes bigint
  ) RETURNS text LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM 1 FROM message_bytes WHERE owner_id = org FOR NO KEY UPDATE;
    IF NOT FOUND THEN PERFORM message_bytes_add(org, 0); END IF;
    PERFORM 1 FROM message_bytes WHERE owner_id = sender FOR NO KEY UPDATE;
    IF NOT FOUND THEN PERFORM message_bytes_add(sender, 0); END IF;
    RETURN CASE
      WHEN EXISTS (SELECT 1 FROM message_bytes
                    WHERE owner_id = sender AND bytes + added${starts('sender', 'created_by_user_id')} > user_bytes) THEN 'user'
      WHEN EXISTS (SELECT 1 FROM message_bytes
                    WHERE owner_id = org AND bytes + added${starts('org', 'org_id')} > org_bytes) THEN 'organization'
    END;
  END $$;`;

/**
 * Requests of starts that are under way count beside undelivered messages: they are added up, as there are few, under the
 * locks of the counters. Indexes for that, and to find starts that ended long ago.
 */
export class OpenStartBytes20261126140100 implements CompatibleMigration {
  readonly oldestBuild = 20261121164000;
  /** Indexes are made while conversations start. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // A replica of an older build that starts meanwhile waits for this migration, and this one for its snapshot.
    await runner.query(`SET lock_timeout = '60s'`);
    for (const [name, columns, condition] of [
      ['start_tasks_open_user', 'created_by_user_id', OPEN],
      ['start_tasks_open_org', 'org_id', OPEN],
      ['start_tasks_over', 'updated_at', `NOT (${OPEN})`],
    ] as const) {
      // What an interrupted run left may be invalid.
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await runner.query(`CREATE INDEX CONCURRENTLY ${name} ON start_tasks (${columns}) WHERE ${condition}`);
    }
    await runner.query('RESET lock_timeout');
    await runner.query(
      exceeded(
        (owner, column) =>
          ` + (SELECT coalesce(sum(request_bytes), 0) FROM start_tasks WHERE ${column} = ${owner} AND ${OPEN})`,
      ),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(exceeded(() => ''));
    await runner.query('DROP INDEX start_tasks_open_user, start_tasks_open_org, start_tasks_over');
  }
}
