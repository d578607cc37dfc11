import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import type { DataSource, QueryRunner } from 'typeorm';
import { createDataSource, migrate } from '../../../src/kernel/database';
import { SandboxStatusTotals20261128200500 } from '../../../src/kernel/database/migrations/20261128200500-sandbox-status-totals';
import { SandboxStatusesSoFar20261128200530 } from '../../../src/kernel/database/migrations/20261128200530-sandbox-statuses-so-far';
import { WaitingMessages20261128213000 } from '../../../src/kernel/database/migrations/20261128213000-waiting-messages';
import { OverviewIndexes20261128213500 } from '../../../src/kernel/database/migrations/20261128213500-overview-indexes';
import { createEmptyDatabase, type TestDatabase } from '../../support/database/postgres';
import { eventually } from '../../support/eventually';

describe('migrations of a database in use', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let writer: Client;
  let runner: QueryRunner;
  const [user, org, sandbox] = [randomUUID(), randomUUID(), randomUUID()];

  beforeAll(async () => {
    database = await createEmptyDatabase();
    const isBefore = (name: string): boolean => Number(name.slice(-14)) < 20261128200500;
    await migrate(database.url, undefined, isBefore);
    dataSource = await createDataSource(database.url, 2).initialize();
    writer = new Client(database.url);
    await writer.connect();
    await writer.query(`SET lock_timeout = '20s'`);
    await writer.query('INSERT INTO users (id, email) VALUES ($1, $2)', [user, 'writer@example.com']);
    await writer.query('INSERT INTO organizations (id, name) VALUES ($1, $2)', [org, 'o']);
    await writer.query(
      `INSERT INTO sandboxes (id, org_id, created_by_user_id, driver, status, last_activity_at)
       VALUES ($1, $2, $3, 'embedded', 'RUNNING', now())`,
      [sandbox, org, user],
    );
    await writer.query(
      `INSERT INTO conversations (id, org_id, created_by_user_id, start_state, sandbox_id)
       SELECT gen_random_uuid(), $1, $2, 'ready', $3 FROM generate_series(1, 3)`,
      [org, user, sandbox],
    );
  });
  afterAll(async () => {
    await writer.end();
    await dataSource.destroy();
    await database.drop();
  });
  beforeEach(async () => {
    runner = dataSource.createQueryRunner();
    await runner.startTransaction();
  });
  afterEach(() => runner.release());

  const notes = async (): Promise<unknown> =>
    (await runner.query('SELECT count(*)::integer AS notes FROM conversation_sandbox_changes')) as unknown;

  it('lock sandboxes before conversations, as a start does, to count these by the status of those', async () => {
    await writer.query('BEGIN');
    await writer.query('UPDATE sandboxes SET last_activity_at = now()');
    const migrated = new SandboxStatusTotals20261128200500().up(runner);
    migrated.catch(() => undefined);
    const waiting = 'SELECT 1 FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))';
    await eventually(async () => expect((await writer.query(waiting)).rows).toHaveLength(1));
    await writer.query('UPDATE conversations SET updated_at = now()');
    await writer.query('COMMIT');
    await migrated;
    await runner.rollbackTransaction();
  });

  it('note no conversation for it under these locks, and all of them without', async () => {
    await new SandboxStatusTotals20261128200500().up(runner);
    expect(await notes()).toEqual([{ notes: 0 }]);
    await runner.commitTransaction();
    await runner.startTransaction();
    await new SandboxStatusesSoFar20261128200530().up(runner);
    expect(await notes()).toEqual([{ notes: 3 }]);
    await writer.query(`UPDATE sandboxes SET status = 'PAUSED'`);
    await writer.query(`UPDATE conversations SET start_state = 'failed'`);
    await runner.commitTransaction();
    await runner.query('SELECT conversation_sandbox_fold(100)');
    expect(await runner.query('SELECT status, conversations FROM conversation_sandbox_counts')).toEqual([
      { status: 'PAUSED', conversations: '3' },
    ]);
  });

  it('place messages that wait, and those that come', async () => {
    const [ofConversation, early] = [randomUUID(), randomUUID()];
    await writer.query(
      `INSERT INTO message_queues (id, user_id, conversation_id, early_key, org_id)
       VALUES ($1, $3, (SELECT id FROM conversations LIMIT 1), NULL, NULL), ($2, $3, NULL, 'key', $4)`,
      [ofConversation, early, user, org],
    );
    const queue = (queueId: string, state: string): Promise<unknown> =>
      writer.query(
        `INSERT INTO pending_messages (id, queue_id, rank, role, content, run, state)
         VALUES (gen_random_uuid(), $1, 1, 'user', '[]', true, $2)`,
        [queueId, state],
      );
    for (const state of ['queued', 'delivering', 'delivered'])
      for (const id of [ofConversation, early]) await queue(id, state);
    await new WaitingMessages20261128213000().up(runner);
    await runner.commitTransaction();
    await queue(ofConversation, 'cancelled');
    await new OverviewIndexes20261128213500().up(runner);
    expect(
      await runner.query(
        `SELECT state, count(*)::integer AS messages, count(*) FILTER (WHERE org_id = $1)::integer AS placed
           FROM pending_messages GROUP BY 1 ORDER BY 1`,
        [org],
      ),
    ).toEqual([
      { state: 'cancelled', messages: 1, placed: 1 },
      { state: 'delivered', messages: 2, placed: 0 },
      { state: 'delivering', messages: 2, placed: 2 },
      { state: 'queued', messages: 2, placed: 2 },
    ]);
  });
});
