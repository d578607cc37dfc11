import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { createMaintenanceDataSource } from '../../../src/database/connection/data-source';
import { eventually } from '../../support/eventually';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';

describe('the migrations of the organization list', () => {
  let database: TestDatabase;
  let source: DataSource;
  let replica: Client;
  const org = randomUUID();
  const user = randomUUID();

  beforeEach(async () => {
    database = await createTestDatabase();
    source = await createMaintenanceDataSource(database.url, 2).initialize();
    replica = new Client(database.url);
    await replica.connect();
    await replica.query(`INSERT INTO organizations (id, name) VALUES ($1, 'o')`, [org]);
    await replica.query(`INSERT INTO users (id, email) VALUES ($1, 'a@example.com')`, [user]);
    const before = async (): Promise<unknown[]> =>
      source.query(`SELECT 1 FROM schema_migrations WHERE name LIKE 'OrgListFigures%'`);
    while ((await before()).length > 0) await source.undoLastMigration();
  });
  afterEach(async () => {
    await replica.end();
    await source.destroy();
    await database.drop();
  });

  const storeSandbox = (): Promise<unknown> =>
    replica.query(
      `INSERT INTO sandboxes (id, org_id, created_by_user_id, driver, status, last_activity_at)
       VALUES (gen_random_uuid(), $1, $2, 'embedded', 'RUNNING', now())`,
      [org, user],
    );
  const storeConversations = (count: number): Promise<unknown> =>
    replica.query(
      `INSERT INTO conversations (id, org_id, created_by_user_id, start_state, title)
       SELECT gen_random_uuid(), $1, $2, 'ready', 'Title ' || n FROM generate_series(1, $3) n`,
      [org, user, count],
    );
  const migrationWaits = (): Promise<void> =>
    eventually(async () => {
      const { rows } = await replica.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      expect(rows).toHaveLength(1);
    });

  it.each([
    ['a sandbox and then a conversation', storeSandbox, () => storeConversations(1)],
    ['a conversation and then a sandbox', () => storeConversations(1), storeSandbox],
  ])('let a replica finish that has stored %s', async (_, first, second) => {
    await replica.query('BEGIN');
    await first();
    const migrated = source.runMigrations();
    await migrationWaits();
    await second();
    await replica.query('COMMIT');
    expect((await migrated).map(({ name }) => name)).toContainEqual(
      expect.stringContaining('OrgListFigures'),
    );
  });

  it('leave a table that was vacuumed, for pages read from indexes alone, and which the planner knows', async () => {
    await storeConversations(500);
    await source.runMigrations();
    const { rows } = await replica.query(
      `SELECT last_vacuum IS NOT NULL AS vacuumed,
              (SELECT count(*)::integer FROM pg_stats WHERE tablename = 'conversations' AND attname = 'sort_title') AS known
         FROM pg_stat_user_tables WHERE relname = 'conversations'`,
    );
    expect(rows).toEqual([{ vacuumed: true, known: 1 }]);
  });
});
