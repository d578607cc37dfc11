import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import {
  OVERVIEW,
  type OverviewRow,
} from '../../../src/conversations/conversations/org-list/overview/overview.read-model';
import { isRecord } from '../../../src/kernel/common';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';

const OTHERS = 3_000;
const OWN = 7;

/** How many rows of tables a plan read, whether it took them or not. */
function rowsRead(plan: unknown): number {
  if (Array.isArray(plan)) return plan.reduce<number>((sum, one) => sum + rowsRead(one), 0);
  if (!isRecord(plan)) return 0;
  const count = (name: string): number => Number(plan[name] ?? 0);
  const own = 'Relation Name' in plan ? count('Actual Rows') + count('Rows Removed by Filter') : 0;
  return own * count('Actual Loops') + rowsRead(plan.Plans) + rowsRead(plan.Plan);
}

describe('the overview of an organization', () => {
  let database: TestDatabase;
  let client: Client;
  const [user, org, other] = [randomUUID(), randomUUID(), randomUUID()];

  const store = (of: string, fields: { state?: string; status?: string }, count: number): Promise<unknown> =>
    client.query(
      `INSERT INTO conversations (id, org_id, created_by_user_id, start_state, execution_status)
       SELECT gen_random_uuid(), $1, $2, $3, $4 FROM generate_series(1, $5)`,
      [of, user, fields.state ?? 'ready', fields.status ?? 'running', count],
    );

  beforeAll(async () => {
    database = await createTestDatabase();
    client = new Client(database.url);
    await client.connect();
    await client.query('INSERT INTO users (id, email) VALUES ($1, $2)', [user, 'u@example.com']);
    for (const id of [org, other])
      await client.query('INSERT INTO organizations (id, name) VALUES ($1, $2)', [id, 'o']);
    await store(org, {}, OTHERS);
    await store(org, { state: 'failed' }, OWN);
    await store(org, { status: 'stuck' }, OWN);
    await store(other, { status: 'error' }, OTHERS);
    for (const [of, count] of [
      [org, OWN],
      [other, OTHERS],
    ] as const) {
      await client.query(
        `INSERT INTO message_queues (id, user_id, conversation_id)
         SELECT id, $2, id FROM conversations WHERE org_id = $1 LIMIT $3`,
        [of, user, count],
      );
      await client.query(
        `INSERT INTO pending_messages (id, queue_id, rank, role, content, run)
         SELECT gen_random_uuid(), q.id, 1, 'user', '[]', true
           FROM message_queues q JOIN conversations c ON c.id = q.conversation_id WHERE c.org_id = $1`,
        [of],
      );
    }
    await client.query('VACUUM ANALYZE');
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it('reads what it tells, not what others have and what did not fail', async () => {
    const parameters = [org, new Date(Date.now() - 86_400_000)];
    const { rows } = await client.query<OverviewRow>(OVERVIEW, parameters);
    expect(rows[0]).toMatchObject({ waiting: String(OWN), failures: { length: 2 * OWN } });
    const explained = await client.query<{ 'QUERY PLAN': unknown }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${OVERVIEW}`,
      parameters,
    );
    expect(rowsRead(explained.rows[0]?.['QUERY PLAN'])).toBeLessThan(20 * OWN);
  });
});
