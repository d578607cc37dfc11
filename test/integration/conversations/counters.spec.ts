import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { rebuildConversationCounts } from '../../../src/conversations/conversations/org-list/counters/counter-rebuild';
import {
  STATS,
  statsParameters,
  type StatsRow,
} from '../../../src/conversations/conversations/org-list/stats/org-stats.read-model';
import { rowId, WrittenDatabase } from '../../support/database/written-database';
import { rounds } from '../../support/rounds';

/** Counters and the changes that were not added yet, as a set of the counts that are not zero. */
const KEPT = `
  WITH counted AS (
    SELECT org_id, day, execution_status, is_sub, sum(n)::text AS n FROM (
      SELECT org_id, day, execution_status, is_sub, conversations AS n FROM conversation_counts
      UNION ALL
      SELECT c.org_id, d.day, execution_status, is_sub, conversations
        FROM conversation_count_deltas c CROSS JOIN LATERAL (VALUES (c.day), ('-infinity'::date)) d (day)
    ) x GROUP BY 1, 2, 3, 4 HAVING sum(n) <> 0
  ), used AS (
    SELECT org_id, llm_model, sum(n)::text AS n, trim_scale(sum(cost))::text AS cost, sum(tokens)::text AS tokens FROM (
      SELECT org_id, llm_model, conversations AS n, accumulated_cost AS cost,
             prompt_tokens + 3 * completion_tokens + 7 * cache_read_tokens + 11 * cache_write_tokens AS tokens
        FROM conversation_usage
      UNION ALL
      SELECT org_id, llm_model, conversations, accumulated_cost,
             prompt_tokens + 3 * completion_tokens + 7 * cache_read_tokens + 11 * cache_write_tokens
        FROM conversation_count_deltas
    ) x GROUP BY 1, 2 HAVING sum(n) <> 0 OR sum(cost) <> 0 OR sum(tokens) <> 0
  ), completed AS (
    SELECT org_id, hour, sum(conversations)::text AS n FROM (
      SELECT * FROM conversation_completed_counts UNION ALL SELECT * FROM conversation_completed_deltas
    ) x WHERE hour >= now() - interval '30 days' GROUP BY 1, 2 HAVING sum(conversations) <> 0
  )`;

const COUNTED = `
  WITH counted AS (
    SELECT org_id, d.day, coalesce(execution_status, '') AS execution_status,
           parent_conversation_id IS NOT NULL AS is_sub, count(*)::text AS n
      FROM conversations c
     CROSS JOIN LATERAL (VALUES ((c.created_at AT TIME ZONE 'UTC')::date), ('-infinity'::date)) d (day)
     WHERE deleted_at IS NULL GROUP BY 1, 2, 3, 4
  ), used AS (
    SELECT org_id, coalesce(llm_model, '') AS llm_model, count(*)::text AS n,
           trim_scale(sum(accumulated_cost::numeric))::text AS cost,
           sum(prompt_tokens + 3 * completion_tokens + 7 * cache_read_tokens + 11 * cache_write_tokens)::text AS tokens
      FROM conversations c WHERE deleted_at IS NULL GROUP BY 1, 2
  ), completed AS (
    SELECT org_id, date_trunc('hour', updated_at, 'UTC') AS hour, count(*)::text AS n FROM conversations
     WHERE deleted_at IS NULL AND execution_status IN ('finished', 'error', 'stuck')
       AND date_trunc('hour', updated_at, 'UTC') >= now() - interval '30 days' GROUP BY 1, 2
  )`;

const BOTH = `SELECT
  (SELECT coalesce(jsonb_agg(to_jsonb(counted) ORDER BY org_id, day, execution_status, is_sub), '[]') FROM counted) AS counts,
  (SELECT coalesce(jsonb_agg(to_jsonb(used) ORDER BY org_id, llm_model), '[]') FROM used) AS usage,
  (SELECT coalesce(jsonb_agg(to_jsonb(completed) ORDER BY org_id, hour), '[]') FROM completed) AS completed`;

type Rows = { counts: unknown; usage: unknown; completed: unknown }[];

/** Reads both in one snapshot, so that it may be called while others write. */
async function compare(client: Client): Promise<void> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  const kept = await client.query<Rows[number]>(`${KEPT} ${BOTH}`);
  const counted = await client.query<Rows[number]>(`${COUNTED} ${BOTH}`);
  await client.query('COMMIT');
  expect(kept.rows).toEqual(counted.rows);
}

const statuses = ['idle', 'running', 'paused', 'finished', 'error', 'stuck', null];
const models = ['a/model', 'another', null];

/** One change by one writer, as SQL over the conversation of a number; several may be in one transaction. */
const change = fc.record({
  kind: fc.constantFrom(
    'insert',
    'insert',
    'insert',
    'status',
    'usage',
    'model',
    'move',
    'created',
    'parent',
    'delete',
    'forget',
    'restore',
    'title',
    'update',
    'update',
  ),
  row: fc.nat({ max: 30 }),
  org: fc.nat({ max: 2 }),
  status: fc.constantFrom(...statuses),
  model: fc.constantFrom(...models),
  day: fc.nat({ max: 4 }),
  cost: fc.double({ min: 0, max: 100, noNaN: true }).map((cost) => Math.round(cost * 1e6) / 1e6),
  tokens: fc.nat({ max: 1_000_000 }),
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;
const work = fc.array(
  fc.record({ changes: fc.array(change, { minLength: 1, maxLength: 4 }), commits: fc.boolean() }),
  { minLength: 5, maxLength: 25 },
);

describe('the counters of the organization list', () => {
  let base: WrittenDatabase;
  let admin: Client;
  let dataSource: DataSource;
  const user = randomUUID();
  const orgs = [randomUUID(), randomUUID(), randomUUID()];

  const connect = (): Promise<Client> => base.connect();

  beforeAll(async () => {
    base = await WrittenDatabase.start({ users: [user], orgs });
    admin = await connect();
    ({ dataSource } = base);
  });
  afterAll(() => base.stop());
  beforeEach(() => admin.query('TRUNCATE conversations CASCADE'));

  function apply(client: Client, writer: number, c: Change): Promise<unknown> {
    const id = rowId(writer, c.row);
    const day = `2026-01-0${c.day + 1}T12:00:00Z`;
    const set = (assignment: string, ...values: unknown[]): Promise<unknown> =>
      client.query(`UPDATE conversations SET ${assignment} WHERE id = $1`, [id, ...values]);
    switch (c.kind) {
      case 'insert':
        return client.query(
          `INSERT INTO conversations (id, org_id, created_by_user_id, start_state, execution_status, llm_model,
                                      accumulated_cost, prompt_tokens, created_at, parent_conversation_id)
           VALUES ($1, $2, $3, 'ready', $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING`,
          [
            id,
            orgs[c.org],
            user,
            c.status,
            c.model,
            c.cost,
            c.tokens,
            day,
            c.day === 0 ? randomUUID() : null,
          ],
        );
      case 'status':
        return set('execution_status = $2', c.status);
      case 'usage':
        return set(
          'accumulated_cost = $2, prompt_tokens = $3, completion_tokens = $3, cache_read_tokens = $3, cache_write_tokens = $3',
          c.cost,
          c.tokens,
        );
      case 'model':
        return set('llm_model = $2', c.model);
      case 'move':
        return set('org_id = $2', orgs[c.org]);
      case 'created':
        return set('created_at = $2', day);
      case 'parent':
        return set('parent_conversation_id = $2', c.day === 0 ? null : randomUUID());
      case 'delete':
        return client.query('DELETE FROM conversations WHERE id = $1', [id]);
      case 'update':
        // Within the last hours, and behind what is counted.
        return set(`updated_at = now() - $2 * interval '41 minutes'`, c.tokens % (c.day === 0 ? 2_000 : 200));
      case 'forget':
        return set('deleted_at = now()');
      case 'restore':
        return set('deleted_at = NULL');
      default:
        return set('title = $2, updated_at = now()', String(c.tokens));
    }
  }

  it('are right at every moment while several write, move, delete and roll back, and some fold and rebuild', async () => {
    const writers = await Promise.all([connect(), connect(), connect(), connect()]);
    const folder = await connect();
    await fc.assert(
      fc.asyncProperty(fc.tuple(work, work, work, work), async (plans) => {
        const state = { writing: true };
        const written = Promise.all(
          writers.map(async (client, writer) => {
            for (const { changes, commits } of plans[writer] ?? []) {
              await client.query('BEGIN');
              for (const one of changes) await apply(client, writer, one);
              await client.query(commits ? 'COMMIT' : 'ROLLBACK');
            }
          }),
        ).finally(() => {
          state.writing = false;
        });
        const folded = (async () => {
          for (let size = 1; state.writing; size = (size % 7) + 1)
            await folder.query('SELECT conversation_counts_fold($1), conversation_completed_fold($1)', [
              size,
            ]);
        })();
        const rebuilt = rebuildConversationCounts(dataSource);
        while (state.writing) await compare(admin);
        await Promise.all([written, folded, rebuilt]);
        await compare(admin);
        await folder.query('SELECT conversation_counts_fold(100000), conversation_completed_fold(100000)');
        await compare(admin);
        for (const table of ['conversation_count_deltas', 'conversation_completed_deltas'])
          expect((await admin.query(`SELECT 1 FROM ${table}`)).rows).toEqual([]);
      }),
      { numRuns: rounds(12, 4) },
    );
  });

  it('of sandboxes are right after any sequence of changes, by the status that is shown, folded or rebuilt', async () => {
    await admin.query('TRUNCATE sandboxes CASCADE');
    const sandboxOf = (row: number): string => rowId(7, row);
    const statuses = ['STARTING', 'RUNNING', 'PAUSED', 'ERROR', 'MISSING'];
    const step = fc.record({
      kind: fc.constantFrom(
        'insert',
        'insert',
        'status',
        'stop',
        'move',
        'delete',
        'touch',
        'fold',
        'rebuild',
      ),
      row: fc.nat({ max: 6 }),
      org: fc.nat({ max: 1 }),
      status: fc.constantFrom(...statuses),
      stopping: fc.constantFrom('pause', null),
      commits: fc.boolean(),
    });
    const counted = async (table: string, count: string, status: string): Promise<unknown> => {
      const { rows } = await admin.query<{ n: number }>(
        `SELECT org_id, ${status} AS status, ${count}::integer AS n FROM ${table}
          GROUP BY 1, 2 HAVING ${count} <> 0 ORDER BY 1, 2`,
      );
      return rows;
    };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        for (const { kind, row, org, status, stopping, commits } of steps) {
          const id = sandboxOf(row);
          if (kind === 'rebuild') await rebuildConversationCounts(dataSource);
          await admin.query('BEGIN');
          if (kind === 'insert')
            await admin.query(
              `INSERT INTO sandboxes (id, org_id, created_by_user_id, driver, status, last_activity_at)
               VALUES ($1, $2, $3, 'embedded', $4, now()) ON CONFLICT DO NOTHING`,
              [id, orgs[org], user, status],
            );
          if (kind === 'status')
            await admin.query('UPDATE sandboxes SET status = $2 WHERE id = $1', [id, status]);
          if (kind === 'stop')
            await admin.query('UPDATE sandboxes SET stopping = $2 WHERE id = $1', [id, stopping]);
          if (kind === 'move')
            await admin.query('UPDATE sandboxes SET org_id = $2 WHERE id = $1', [id, orgs[org]]);
          if (kind === 'touch') await admin.query('UPDATE sandboxes SET last_activity_at = now()');
          if (kind === 'delete') await admin.query('DELETE FROM sandboxes WHERE id = $1', [id]);
          if (kind === 'fold') await admin.query('SELECT sandbox_counts_fold()');
          await admin.query(commits ? 'COMMIT' : 'ROLLBACK');
          const shown = `CASE WHEN stopping IS NULL THEN status ELSE 'PAUSED' END`;
          expect(await counted('sandbox_counts', 'sum(sandboxes)', 'status')).toEqual(
            await counted('sandboxes', 'count(*)', shown),
          );
        }
        await admin.query('SELECT sandbox_counts_fold()');
        expect(
          (await admin.query('SELECT 1 FROM sandbox_counts GROUP BY org_id, status HAVING count(*) > 1'))
            .rows,
        ).toEqual([]);
      }),
      { numRuns: rounds(30, 10) },
    );
  });

  it('forget an organization that goes', async () => {
    const org = randomUUID();
    await admin.query('INSERT INTO organizations (id, name) VALUES ($1, $2)', [org, 'o']);
    await admin.query(
      `INSERT INTO conversations (id, org_id, created_by_user_id, start_state, accumulated_cost)
       SELECT gen_random_uuid(), $1, $2, 'ready', 0.1 FROM generate_series(1, 50)`,
      [org, user],
    );
    await admin.query('SELECT conversation_counts_fold(1000)');
    await admin.query('DELETE FROM organizations WHERE id = $1', [org]);
    await compare(admin);
    await admin.query('SELECT conversation_counts_fold(1000)');
    for (const table of ['conversation_counts', 'conversation_usage', 'conversation_count_deltas'])
      expect((await admin.query(`SELECT 1 FROM ${table} WHERE org_id = $1`, [org])).rows).toEqual([]);
  });

  it('never make a writer wait for another one of the same organization', async () => {
    const [first, second] = [await connect(), await connect()];
    await second.query(`SET statement_timeout = '20s'`);
    const insert = (client: Client, row: number): Promise<unknown> =>
      client.query(
        `INSERT INTO conversations (id, org_id, created_by_user_id, start_state) VALUES ($1, $2, $3, 'ready')`,
        [rowId(9, row), orgs[0], user],
      );
    await first.query('BEGIN');
    await insert(first, 1);
    await insert(second, 2);
    await second.query('SELECT conversation_counts_fold(1000)');
    await second.query('UPDATE conversations SET execution_status = $2 WHERE id = $1', [
      rowId(9, 2),
      'error',
    ]);
    await first.query('COMMIT');
    await compare(admin);
  });

  it('are put right by a rebuild', async () => {
    await admin.query(
      `INSERT INTO conversations (id, org_id, created_by_user_id, start_state) VALUES ($1, $2, $3, 'ready')`,
      [randomUUID(), orgs[0], user],
    );
    await admin.query('DELETE FROM conversation_count_deltas');
    await expect(compare(admin)).rejects.toThrow();
    expect(await rebuildConversationCounts(dataSource)).toBe(1);
    await compare(admin);
  });

  it('of what has ended tell each window to the millisecond, and keep no hours that nobody asks for', async () => {
    const org = orgs[0] ?? '';
    const now = new Date();
    // Around the beginnings of the windows, and of the hours that these are in.
    const around = [1, 7, 30].flatMap((days) => {
      const since = now.getTime() - days * 86_400_000;
      const hour = Math.floor(since / 3_600_000) * 3_600_000;
      return [since, hour, hour + 3_600_000].flatMap((at) => [at - 1, at, at + 1]);
    });
    const moments = [...around, now.getTime(), now.getTime() - 40 * 86_400_000].map((at) => new Date(at));
    await admin.query(
      `INSERT INTO conversations (id, org_id, created_by_user_id, start_state, execution_status, updated_at)
       SELECT gen_random_uuid(), $1, $2, 'ready', s.status, m.at
         FROM unnest($3::timestamptz[]) m (at), unnest($4::text[]) s (status)`,
      [org, user, moments, statuses],
    );
    const since = (days: number): number =>
      3 * moments.filter((at) => at.getTime() >= now.getTime() - days * 86_400_000).length;
    const expected = { '24h': since(1), '7d': since(7), '30d': since(30) };
    const told = async (): Promise<unknown> =>
      (await admin.query<StatsRow>(STATS, statsParameters(org, now))).rows[0]?.completed;
    expect(await told()).toEqual(expected);
    await admin.query('SELECT conversation_completed_fold(1000)');
    expect(await told()).toEqual(expected);
    expect((await admin.query('SELECT 1 FROM conversation_completed_deltas')).rows).toEqual([]);
    await admin.query(
      `INSERT INTO conversation_completed_counts VALUES ($1, date_trunc('hour', now()) - interval '32 days', 1)`,
      [org],
    );
    await admin.query(`UPDATE conversations SET execution_status = 'running' WHERE org_id = $1`, [org]);
    await admin.query('SELECT conversation_completed_fold(1000)');
    expect(await told()).toEqual({ '24h': 0, '7d': 0, '30d': 0 });
    const { rows } = await admin.query<{ days: number }>(
      `SELECT max(extract(day FROM now() - hour))::integer AS days FROM conversation_completed_counts`,
    );
    expect(rows[0]?.days).toBe(30);
  });

  it('leave no difference between entities and migrations', async () => {
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });
});
