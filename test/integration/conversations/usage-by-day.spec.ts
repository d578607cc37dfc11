import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { usageQuery } from '../../../src/conversations/conversations/org-list/usage/usage.read-model';
import { ADVISORY_LOCKS } from '../../../src/kernel/database';
import { UsageSoFar20261128212000 } from '../../../src/kernel/database/migrations/20261128212000-usage-so-far';
import { UsageOfUsersSoFar20261129034030 } from '../../../src/kernel/database/migrations/20261129034030-usage-of-users-so-far';
import { rowId, WrittenDatabase } from '../../support/database/written-database';
import { rounds } from '../../support/rounds';

const AMOUNTS = [
  'accumulated_cost',
  'prompt_tokens',
  'completion_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
];
const sums = (of: string): string =>
  AMOUNTS.map((amount) => `trim_scale(coalesce(sum(${of}.${amount}::numeric), 0))::text AS ${amount}`).join(
    ', ',
  );

const TABLES = 'conversations, usage_deltas, usage_by_day, usage_by_month, usage_of_users';

/** Folded or not. */
const USED = `
  SELECT org_id, dimension, day, value, is_rest, conversations, ${AMOUNTS.join(', ')} FROM usage_by_day
  UNION ALL
  SELECT d.org_id, p.dimension, d.day, p.value, false, d.conversations, ${AMOUNTS.join(', ')}
    FROM usage_deltas d CROSS JOIN LATERAL usage_places(d.user_id, d.llm_model, d.repository, d.tags) p`;

/** What was used in each organization, by dimension; each conversation has one tag at most. */
const COUNTED = `
  SELECT u.org_id, dimension, sum(u.conversations)::text AS conversations, ${sums('u')}
    FROM (${USED}) u GROUP BY 1, 2 ORDER BY 1, 2`;

/** What the records say, deleted ones too. */
const RECORDED = `
  SELECT c.org_id, d.dimension, count(*)::text AS conversations, ${sums('c')}
    FROM conversations c CROSS JOIN (VALUES ('all'), ('model'), ('repository'), ('tag'), ('user')) d (dimension)
   GROUP BY 1, 2 ORDER BY 1, 2`;

/** The same of each user, by what theirs is told apart by. */
const COUNTED_OF_USERS = `
  SELECT u.org_id, u.user_id, dimension, sum(u.conversations)::text AS conversations, ${sums('u')} FROM (
    SELECT org_id, user_id, dimension, conversations, ${AMOUNTS.join(', ')} FROM usage_of_users
    UNION ALL
    SELECT d.org_id, d.user_id, p.dimension, d.conversations, ${AMOUNTS.join(', ')}
      FROM usage_deltas d CROSS JOIN LATERAL usage_places(d.user_id, d.llm_model, d.repository, d.tags) p
     WHERE p.dimension IN ('model', 'repository', 'tag')) u GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`;
const RECORDED_OF_USERS = `
  SELECT c.org_id, c.created_by_user_id AS user_id, d.dimension, count(*)::text AS conversations, ${sums('c')}
    FROM conversations c CROSS JOIN (VALUES ('model'), ('repository'), ('tag')) d (dimension)
   GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`;

const negative = ['conversations', ...AMOUNTS].map((amount) => `-${amount}`).join(', ');
const positive = ['conversations', ...AMOUNTS].join(', ');
const unequal = ['conversations', ...AMOUNTS].map((amount) => `sum(${amount}) <> 0`).join(' OR ');

/** Values of which a month has other amounts than its days, or all users together others than their organization. */
const DIFFERENCES = `
  SELECT kind, org_id, dimension, day, value, is_rest FROM (
    SELECT 'month' AS kind, org_id, dimension, month AS day, value, is_rest, ${positive} FROM usage_by_month
    UNION ALL
    SELECT 'month', org_id, dimension, date_trunc('month', day::timestamp)::date, value, is_rest, ${negative}
      FROM usage_by_day WHERE dimension <> 'all'
    UNION ALL
    SELECT 'users', org_id, dimension, day, value, is_rest, ${positive} FROM usage_of_users
    UNION ALL
    SELECT 'users', org_id, dimension, day, value, is_rest, ${negative}
      FROM usage_by_day WHERE dimension IN ('model', 'repository', 'tag')) u
   GROUP BY 1, 2, 3, 4, 5, 6 HAVING ${unequal}`;

/** A report that a writer takes into the conversation of a number, or another change. */
const change = fc.record({
  kind: fc.constantFrom(
    'begin',
    'begin',
    'report',
    'report',
    'report',
    'again',
    'tag',
    'model',
    'repository',
    'forget',
  ),
  row: fc.nat({ max: 5 }),
  /** Of all writers, so that several report on the same. */
  isShared: fc.boolean(),
  org: fc.nat({ max: 1 }),
  cost: fc.nat({ max: 100_000_000 }).map((micros) => micros / 1e6),
  tokens: fc.nat({ max: 1_000_000 }),
  text: fc.constantFrom('a', 'b', null),
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;
const work = fc.array(
  fc.record({ changes: fc.array(change, { minLength: 1, maxLength: 3 }), commits: fc.boolean() }),
  { minLength: 5, maxLength: 25 },
);

describe('usage by day', () => {
  let base: WrittenDatabase;
  let admin: Client;
  let dataSource: DataSource;
  const users = [randomUUID(), randomUUID()];
  const orgs = [randomUUID(), randomUUID()];

  const connect = (): Promise<Client> => base.connect();

  beforeAll(async () => {
    base = await WrittenDatabase.start({ users: users, orgs });
    admin = await connect();
    // Of who is no member it is not kept what they use of each model, repository and tag.
    await admin.query(
      `INSERT INTO org_members (org_id, user_id, role)
       SELECT o, u, 'member' FROM unnest($1::uuid[]) o CROSS JOIN unnest($2::uuid[]) u`,
      [orgs, users],
    );
    ({ dataSource } = base);
  });
  afterAll(() => base.stop());
  beforeEach(() => admin.query(`TRUNCATE ${TABLES} CASCADE`));

  const begin = (
    id: string,
    fields: { org?: number; user?: number; tags?: object; createdAt?: string } = {},
  ): Promise<unknown> =>
    admin.query(
      `INSERT INTO conversations (id, org_id, created_by_user_id, start_state, tags, created_at)
       VALUES ($1, $2, $3, 'ready', $4, coalesce($5, now()))`,
      [id, orgs[fields.org ?? 0], users[fields.user ?? 0], fields.tags ?? {}, fields.createdAt],
    );
  const report = (client: Client, id: string, cost: number, tokens = 0): Promise<unknown> =>
    client.query('SELECT apply_report($1, NULL, NULL, NULL, NULL, $2, $3, $3, $3, $3, 0, 0, 0, true)', [
      id,
      cost,
      tokens,
    ]);
  const fold = async (
    client: Client,
    most = 100_000,
    mostValues = 1_000,
    mostOfUser = 1_000,
  ): Promise<number> => {
    const values = [most, mostValues, mostOfUser];
    const { rows } = await client.query<{ n: number }>('SELECT usage_fold($1, $2, $3) AS n', values);
    return rows[0]!.n;
  };
  const usedBy = async (dimension: string, org = 0): Promise<unknown[]> => {
    const { rows } = await admin.query<object>(
      `SELECT value, is_rest, sum(conversations)::integer AS conversations, sum(accumulated_cost)::float8 AS cost
         FROM (${USED}) u WHERE org_id = $1 AND dimension = $2 GROUP BY 1, 2 ORDER BY 2, 1`,
      [orgs[org], dimension],
    );
    return rows;
  };

  /** Reads both in one snapshot, so that it may be called while others write. */
  async function compare(client: Client): Promise<void> {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    const counted = await client.query(COUNTED);
    const recorded = await client.query(RECORDED);
    const ofUsers = await client.query(COUNTED_OF_USERS);
    const recordedOfUsers = await client.query(RECORDED_OF_USERS);
    const differences = await client.query(DIFFERENCES);
    await client.query('COMMIT');
    expect(counted.rows).toEqual(recorded.rows);
    expect(ofUsers.rows).toEqual(recordedOfUsers.rows);
    expect(differences.rows).toEqual([]);
  }

  function apply(client: Client, writer: number, one: Change): Promise<unknown> {
    const id = rowId(one.isShared ? 0 : writer, one.row);
    const set = (assignment: string, ...values: unknown[]): Promise<unknown> =>
      client.query(`UPDATE conversations SET ${assignment} WHERE id = $1`, [id, ...values]);
    switch (one.kind) {
      case 'begin':
        return client.query(
          `INSERT INTO conversations (id, org_id, created_by_user_id, start_state, llm_model, accumulated_cost)
           VALUES ($1, $2, $3, 'ready', $4, $5) ON CONFLICT DO NOTHING`,
          [id, orgs[one.org], users[one.org], one.text, one.text === null ? one.cost : 0],
        );
      case 'report':
        return report(client, id, one.cost, one.tokens);
      case 'again':
        return report(client, id, 0);
      case 'tag':
        return set('tags = $2', one.text === null ? {} : { team: one.text });
      case 'model':
        return set('llm_model = $2', one.text);
      case 'repository':
        return set('selected_repository = $2', one.text);
      default:
        return set('deleted_at = now()');
    }
  }

  it('is what the records have grown by, at every moment, while several report, repeat, roll back and fold', async () => {
    const writers = await Promise.all([connect(), connect(), connect()]);
    const folders = await Promise.all([connect(), connect()]);
    await fc.assert(
      fc.asyncProperty(fc.tuple(work, work, work), async (plans) => {
        await admin.query(`TRUNCATE ${TABLES} CASCADE`);
        for (let row = 0; row < 6; row++) await begin(rowId(0, row), { org: row % 2 });
        const state = { writing: true };
        const written = Promise.all(
          writers.map(async (client, n) => {
            for (const { changes, commits } of plans[n] ?? []) {
              await client.query('BEGIN');
              // Whoever changes several does so in the order of their ids.
              const ordered = changes.map((one) => one).sort((a, b) => rankOf(a, n + 1) - rankOf(b, n + 1));
              for (const one of ordered) await apply(client, n + 1, one);
              await client.query(commits ? 'COMMIT' : 'ROLLBACK');
            }
          }),
        ).finally(() => {
          state.writing = false;
        });
        const folded = Promise.all(
          folders.map(async (folder) => {
            for (let size = 1; state.writing; size = (size % 7) + 1) await fold(folder, size);
          }),
        );
        while (state.writing) await compare(admin);
        await Promise.all([written, folded]);
        await compare(admin);
        await fold(admin);
        await compare(admin);
        expect((await admin.query('SELECT 1 FROM usage_deltas')).rows).toEqual([]);
      }),
      { numRuns: rounds(12, 4) },
    );
  });

  const rankOf = ({ isShared, row }: Change, writer: number): number => (isShared ? 0 : writer) * 1_000 + row;

  it('adds nothing for a report that comes again, or says less', async () => {
    await begin(rowId(1, 1));
    await fold(admin);
    await report(admin, rowId(1, 1), 2, 20);
    await report(admin, rowId(1, 1), 2, 20);
    await report(admin, rowId(1, 1), 1, 10);
    expect((await admin.query('SELECT accumulated_cost, prompt_tokens FROM usage_deltas')).rows).toEqual([
      { accumulated_cost: '2', prompt_tokens: '20' },
    ]);
    expect(await usedBy('all')).toEqual([{ value: '', is_rest: false, conversations: 1, cost: 2 }]);
  });

  it('goes with the report: one that is not committed when its process dies has spent nothing', async () => {
    await begin(rowId(1, 1));
    const dying = new Client(base.database.url);
    dying.on('error', () => undefined);
    await dying.connect();
    const [{ pid }] = (await dying.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows as [
      { pid: number },
    ];
    await dying.query('BEGIN');
    await report(dying, rowId(1, 1), 5);
    await admin.query('SELECT pg_terminate_backend($1, 5000)', [pid]);
    await report(admin, rowId(1, 1), 3);
    await fold(admin);
    expect(await usedBy('all')).toEqual([{ value: '', is_rest: false, conversations: 1, cost: 3 }]);
  });

  it('counts what is spent after a change of tags under the new ones, and what was spent stays', async () => {
    await begin(rowId(1, 1), { tags: { team: 'shop', n: 7 } });
    await report(admin, rowId(1, 1), 1);
    await admin.query(`UPDATE conversations SET tags = '{"team": "desk"}'`);
    await report(admin, rowId(1, 1), 3);
    await fold(admin);
    await admin.query(`UPDATE conversations SET tags = '{}'`);
    await report(admin, rowId(1, 1), 10);
    expect(await usedBy('tag')).toEqual([
      { value: '', is_rest: false, conversations: 0, cost: 7 },
      { value: 'n:7', is_rest: false, conversations: 1, cost: 1 },
      { value: 'team:desk', is_rest: false, conversations: 0, cost: 2 },
      { value: 'team:shop', is_rest: false, conversations: 1, cost: 1 },
    ]);
  });

  it('stays when conversations go and their creators leave, and goes with the organization', async () => {
    const org = randomUUID();
    const user = randomUUID();
    await admin.query('INSERT INTO organizations (id, name) VALUES ($1, $2)', [org, 'o']);
    await admin.query('INSERT INTO users (id, email) VALUES ($1, $2)', [user, 'leaver@example.com']);
    const insert = (): Promise<unknown> =>
      admin.query(
        `INSERT INTO conversations (id, org_id, created_by_user_id, start_state, accumulated_cost)
         VALUES (gen_random_uuid(), $1, $2, 'ready', 4)`,
        [org, user],
      );
    const cost = async (): Promise<unknown> =>
      (
        await admin.query<{ cost: number }>(
          `SELECT sum(accumulated_cost)::float8 AS cost FROM (${USED}) u WHERE org_id = $1 AND dimension = 'user'`,
          [org],
        )
      ).rows[0]?.cost;
    await insert();
    await fold(admin);
    await insert();
    await admin.query('DELETE FROM users WHERE id = $1', [user]);
    expect((await admin.query('SELECT 1 FROM conversations WHERE org_id = $1', [org])).rows).toEqual([]);
    expect(await cost()).toBe(8);
    await admin.query('DELETE FROM organizations WHERE id = $1', [org]);
    await fold(admin);
    expect(await cost()).toBeNull();
  });

  it('has so many values on a day, and one row for what comes after them', async () => {
    for (let n = 0; n < 5; n++) {
      await begin(rowId(1, n), { tags: { n: String(n) } });
      await report(admin, rowId(1, n), 2 ** n);
      if (n === 1) await fold(admin, 100, 3);
    }
    await fold(admin, 100, 3);
    await report(admin, rowId(1, 2), 100);
    await report(admin, rowId(1, 0), 2);
    await fold(admin, 100, 3);
    const ofTags = await usedBy('tag');
    expect(ofTags).toHaveLength(4);
    expect(ofTags).toEqual([
      { value: 'n:0', is_rest: false, conversations: 1, cost: 2 },
      { value: 'n:1', is_rest: false, conversations: 1, cost: 2 },
      { value: 'n:4', is_rest: false, conversations: 1, cost: 16 },
      { value: '', is_rest: true, conversations: 2, cost: 100 + 8 },
    ]);
    await compare(admin);
  });

  it('has so many values that one user brings, so that all have those of others', async () => {
    for (let n = 0; n < 5; n++) {
      await begin(rowId(1, n), { tags: { n: String(n) } });
      await report(admin, rowId(1, n), 2 ** n);
      if (n === 0) await fold(admin, 100, 4, 2);
    }
    // The other one brings a value of the first, too, and that counts as brought by the other.
    for (const n of [1, 9]) await begin(rowId(2, n), { user: 1, tags: { n: String(n) } });
    await fold(admin, 100, 4, 2);
    await begin(rowId(2, 10), { user: 1, tags: { n: '10' } });
    await report(admin, rowId(1, 0), 101);
    await fold(admin, 100, 4, 2);
    expect(await usedBy('tag')).toEqual([
      { value: 'n:0', is_rest: false, conversations: 1, cost: 101 },
      { value: 'n:1', is_rest: false, conversations: 2, cost: 2 },
      { value: 'n:4', is_rest: false, conversations: 1, cost: 16 },
      { value: 'n:9', is_rest: false, conversations: 1, cost: 0 },
      { value: '', is_rest: true, conversations: 3, cost: 4 + 8 },
    ]);
    await compare(admin);
  });

  it('tells days apart in UTC, whatever the time zone of the connection', async () => {
    const client = await connect();
    await client.query(`SET timezone = 'Pacific/Kiritimati'`);
    await client.query(
      `INSERT INTO conversations (id, org_id, created_by_user_id, start_state, created_at, updated_at, accumulated_cost)
       VALUES ($1, $2, $3, 'ready', '2026-01-01T23:59:59.999Z', '2026-01-02T00:00:00Z', 1)`,
      [rowId(1, 1), orgs[0], users[0]],
    );
    await report(client, rowId(1, 1), 3);
    await fold(client);
    const { rows } = await admin.query(
      `SELECT day::text, conversations::integer, accumulated_cost::integer AS cost,
              day = (now() AT TIME ZONE 'UTC')::date AS is_today
         FROM usage_by_day WHERE dimension = 'all' ORDER BY day`,
    );
    expect(rows).toEqual([
      { day: '2026-01-01', conversations: 1, cost: 0, is_today: false },
      { day: '2026-01-02', conversations: 0, cost: 1, is_today: false },
      { day: expect.any(String) as unknown, conversations: 0, cost: 2, is_today: true },
    ]);
  });

  it('never has a report wait for one of another conversation, or for a fold', async () => {
    const [first, second] = [await connect(), await connect()];
    await begin(rowId(1, 1));
    await begin(rowId(1, 2));
    await second.query(`SET statement_timeout = '20s'`);
    await first.query('BEGIN');
    await report(first, rowId(1, 1), 1);
    await report(second, rowId(1, 2), 2);
    await fold(second);
    await report(second, rowId(1, 2), 3);
    await first.query('COMMIT');
    await compare(admin);
  });

  it('is added to while other counters are, however long that takes', async () => {
    const counting = await connect();
    await counting.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCKS.counts]);
    await begin(rowId(1, 1));
    expect(await fold(admin)).toBe(1);
    await counting.query('SELECT pg_advisory_unlock($1)', [ADVISORY_LOCKS.counts]);
  });

  it('finds the users of its items by their ids, however many there are', async () => {
    const period = { orgId: orgs[0]!, from: '2026-01-01', to: '2026-12-31', limit: 100 };
    const { sql, parameters } = usageQuery('user', period);
    await admin.query('BEGIN');
    await admin.query('SET LOCAL enable_seqscan = off');
    const { rows } = await admin.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`, [...parameters]);
    await admin.query('ROLLBACK');
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/Index Scan using users_pkey/);
  });

  async function migrated(migration: Pick<UsageSoFar20261128212000, 'up'>): Promise<void> {
    const runner = dataSource.createQueryRunner();
    await runner.startTransaction();
    await migration.up(runner);
    await runner.commitTransaction();
    await runner.release();
  }

  it('begins to tell apart months and users with what there is, although reports go on meanwhile', async () => {
    await begin(rowId(1, 1), { tags: { team: 'shop' } });
    await begin(rowId(1, 2), { user: 1 });
    await report(admin, rowId(1, 1), 5, 50);
    await fold(admin);
    await admin.query('TRUNCATE usage_by_month, usage_of_users');
    await report(admin, rowId(1, 1), 7, 60);
    const open = await connect();
    await open.query('BEGIN');
    await report(open, rowId(1, 2), 16);
    await migrated(new UsageOfUsersSoFar20261129034030());
    await open.query('COMMIT');
    await compare(admin);
    await fold(admin);
    await compare(admin);
  });

  it('begins with what the records have, although reports go on meanwhile', async () => {
    await admin.query('ALTER TABLE conversations DISABLE TRIGGER conversations_usage_begun');
    try {
      for (const row of [1, 2, 3]) await begin(rowId(1, row), { createdAt: '2026-01-05T12:00:00Z' });
      await admin.query(
        `UPDATE conversations SET accumulated_cost = 10, updated_at = '2026-01-06T12:00:00Z', deleted_at =
           CASE WHEN id = $1 THEN now() END`,
        [rowId(1, 3)],
      );
      await admin.query('DELETE FROM usage_deltas');
    } finally {
      await admin.query('ALTER TABLE conversations ENABLE TRIGGER conversations_usage_begun');
    }
    await report(admin, rowId(1, 1), 15);
    const open = await connect();
    await open.query('BEGIN');
    await report(open, rowId(1, 2), 16);
    await migrated(new UsageSoFar20261128212000());
    await open.query('COMMIT');
    await compare(admin);
    await fold(admin);
    await compare(admin);
    const { rows } = await admin.query(
      `SELECT day::text, conversations::integer, accumulated_cost::integer AS cost FROM usage_by_day
        WHERE dimension = 'all' AND day < '2026-02-01' ORDER BY day`,
    );
    expect(rows).toEqual([
      { day: '2026-01-05', conversations: 3, cost: 0 },
      { day: '2026-01-06', conversations: 0, cost: 20 },
    ]);
  });
});
