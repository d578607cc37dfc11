import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { DataSource } from 'typeorm';
import { Clock } from '../../../src/kernel/common';
import { OrgConversationsQuery } from '../../../src/conversations/conversations/org-list/list/org-conversations.dto';
import {
  type ListQueryOptions,
  OrgListDatabase,
} from '../../../src/conversations/conversations/org-list/database/org-list-database';
import { OrgListService } from '../../../src/conversations/conversations/org-list/list/org-list.service';
import { createDataSource } from '../../../src/kernel/database';
import type { SandboxReader } from '../../../src/sandboxes/sandboxes';
import {
  storeConversation,
  type StoredConversation,
  storeSandbox,
} from '../../support/queue/conversation-rows';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { rounds } from '../../support/rounds';

const DAY_MS = 86_400_000;
const NOW = new Date('2026-06-15T10:30:00.000Z');

class FixedClock extends Clock {
  override now(): Date {
    return NOW;
  }
}

const NO_ADDRESSES: Pick<SandboxReader, 'conversationBaseOf'> = { conversationBaseOf: () => null };

class CountingDatabase extends OrgListDatabase {
  queries = 0;

  override rows<Row extends object>(
    sql: string,
    parameters: readonly unknown[],
    options?: ListQueryOptions,
  ): Promise<Row[]> {
    this.queries += 1;
    return super.rows(sql, parameters, options);
  }
}

/** A conversation with what its filters look at. */
interface Known extends StoredConversation {
  readonly shown: string;
  readonly creator: { readonly name: string | null; readonly email: string };
}

type Query = Partial<OrgConversationsQuery>;

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** What the contract says of a list, over rows in memory. */
function expected(all: readonly Known[], query: OrgConversationsQuery) {
  const days = { all: null, '7d': 7, '30d': 30, '90d': 90 }[query.time_window];
  const text = (query.search ?? '').trim().toLowerCase();
  const within = all.filter(
    (row) =>
      row.deleted_at === null &&
      (query.include_sub_conversations || row.parent_conversation_id === null) &&
      (query.execution_status.length === 0 ||
        query.execution_status.some((status) => status === row.execution_status)) &&
      (days === null || row.created_at.getTime() >= NOW.getTime() - days * DAY_MS) &&
      [row.title, row.creator.name, row.creator.email, row.sandbox_id].some(
        (place) => text === '' || (place?.toLowerCase().includes(text) ?? false),
      ),
  );
  const wanted = query.accurate_totals
    ? within.filter((row) => query.sandbox_status === null || row.shown === query.sandbox_status)
    : within;
  const key = (row: Known): string | number | null => {
    const value = row[query.sort_by];
    return value instanceof Date
      ? value.getTime()
      : query.sort_by === 'title'
        ? (row.title?.toLowerCase() ?? null)
        : value;
  };
  const turn = query.sort_order === 'asc' ? 1 : -1;
  const sorted = wanted.toSorted((a, b) => {
    const [x, y] = [key(a), key(b)];
    if (x === null || y === null) return x === y ? turn * byBytes(a.id, b.id) : x === null ? 1 : -1;
    const order = typeof x === 'number' && typeof y === 'number' ? x - y : byBytes(String(x), String(y));
    return turn * (order === 0 ? byBytes(a.id, b.id) : order);
  });
  const from = (query.page - 1) * query.per_page;
  const page = sorted.slice(from, from + query.per_page);
  return {
    ids: (query.sandbox_status === null
      ? page
      : page.filter((row) => row.shown === query.sandbox_status)
    ).map((row) => row.id),
    total: sorted.length,
  };
}

const TITLES = [
  null,
  'Fix the login',
  'fix THE login',
  'Login 100% of a_b',
  'axb 100',
  'Größe \\ "quoted" ’s 🐙',
  'q',
  `${'long '.repeat(60)}needle`,
];
const SEARCHES = [
  null,
  '',
  '  ',
  'login',
  'LOGIN',
  'Ü',
  'ü',
  'a',
  'q',
  '%',
  '_',
  'a_b',
  '\\',
  '"',
  "'",
  '🐙',
  '100%',
  'größe',
  'needle',
  'ada',
  'lovelace',
  'EXAMPLE.COM',
  'ab',
  '0',
  '-',
  '4000-8000',
  'no such',
  '\u0000',
];

describe('the pages of an organization', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let reader: CountingDatabase;
  let service: OrgListService;
  const org = randomUUID();
  const known: Known[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
    dataSource = await createDataSource(database.url, 2).initialize();
    reader = new CountingDatabase(dataSource);
    service = new OrgListService(reader, NO_ADDRESSES, new FixedClock());
    const elsewhere = randomUUID();
    for (const id of [org, elsewhere])
      await dataSource.query('INSERT INTO organizations (id, name) VALUES ($1, $2)', [id, 'o']);
    const creators = [
      { id: randomUUID(), name: 'Ada Ünal', email: 'ada@example.com' },
      { id: randomUUID(), name: null, email: 'lovelace@example.org' },
      { id: randomUUID(), name: 'Login', email: 'z@y.example' },
    ];
    for (const { id, name, email } of creators)
      await dataSource.query('INSERT INTO users (id, name, email) VALUES ($1, $2, $3)', [id, name, email]);
    const pick = <T>(from: readonly T[], n: number): T => from[n % from.length] as T;
    const ages = [0, 1, 6.9999, 7, 7.0001, 29, 30, 31, 89.5, 90, 90.5, 400];
    for (let n = 0; n < 160; n += 1) {
      const org_id = n % 13 === 0 ? elsewhere : org;
      const creator = pick(creators, n * 7 + (n >> 3));
      const owner = { org_id, created_by_user_id: creator.id };
      const [status, stopping, shown] = pick(
        [
          ['RUNNING', undefined, 'RUNNING'],
          ['PAUSED', undefined, 'PAUSED'],
          ['RUNNING', 'pause', 'PAUSED'],
          ['ERROR', undefined, 'ERROR'],
          ['STARTING', undefined, 'STARTING'],
          ['MISSING', undefined, 'MISSING'],
          [null, undefined, 'STARTING'],
          [null, undefined, 'MISSING'],
        ] as const,
        n,
      );
      const sandbox_id =
        status !== null
          ? await storeSandbox(dataSource, owner, { status, ...(stopping && { stopping }) })
          : shown === 'MISSING'
            ? `99999999-9999-4999-8999-${String(n).padStart(12, '9')}` // a sandbox that nobody knows
            : null;
      const row = await storeConversation(dataSource, {
        ...owner,
        sandbox_id,
        id: `${n % 2 === 0 ? 'ffffffff' : '00000000'}-0000-4000-8000-${String(n).padStart(12, '0')}`,
        title: pick(TITLES, n * 3 + (n >> 4)),
        llm_model: pick([null, 'a/model', 'B/model', 'a/model-2'], n + (n >> 2)),
        execution_status: pick(['idle', 'running', 'paused', 'finished', 'error', 'stuck', null], n * 5 + 1),
        parent_conversation_id: n % 6 === 0 ? randomUUID() : null,
        accumulated_cost: pick([0, 0.5, 1e-7, 12], n >> 1),
        created_at: new Date(NOW.getTime() - pick(ages, n + (n >> 3)) * DAY_MS),
        updated_at: new Date(NOW.getTime() - (n % 9) * 1_000),
        deleted_at: n % 17 === 0 ? NOW : null,
      });
      if (org_id === org) known.push({ ...row, shown, creator });
    }
    await dataSource.query('SELECT conversation_counts_fold(70), conversation_sandbox_fold(70)');
  });
  afterAll(async () => {
    await reader.onApplicationShutdown();
    await dataSource.destroy();
    await database.drop();
  });

  const ask = (query: Query): OrgConversationsQuery => Object.assign(new OrgConversationsQuery(), query);
  const choice = fc.record<Query>({
    search: fc.constantFrom(...SEARCHES),
    sort_by: fc.constantFrom('created_at', 'updated_at', 'llm_model', 'accumulated_cost', 'title'),
    sort_order: fc.constantFrom('asc', 'desc'),
    execution_status: fc.subarray(['idle', 'running', 'paused', 'finished', 'error', 'stuck'], {
      maxLength: 3,
    }),
    sandbox_status: fc.constantFrom(null, null, 'STARTING', 'RUNNING', 'PAUSED', 'ERROR', 'MISSING'),
    time_window: fc.constantFrom('all', 'all', '7d', '30d', '90d'),
    include_sub_conversations: fc.boolean(),
    accurate_totals: fc.boolean(),
    page: fc.constantFrom(1, 1, 2, 3, 7, 100, 2 ** 40),
    per_page: fc.constantFrom(1, 3, 20, 100),
  });

  it('are right for every filter, sort, search and page together, by three queries at most', async () => {
    await fc.assert(
      fc.asyncProperty(choice, async (given) => {
        const query = ask(given);
        reader.queries = 0;
        const { page } = await service.list(org, query);
        const { ids, total } = expected(known, query);
        expect(page.items.map(({ id }) => id)).toEqual(ids);
        expect(page).toMatchObject({
          total_items: total,
          page: query.page,
          per_page: query.per_page,
          total_pages: Math.ceil(total / query.per_page),
          pagination_accurate: query.sandbox_status === null || query.accurate_totals,
        });
        expect(reader.queries).toBeLessThanOrEqual(3);
        reader.queries = 0;
        expect(await service.text(org, query)).toBe(JSON.stringify(page));
        expect(reader.queries).toBeLessThanOrEqual(3);
      }),
      { numRuns: rounds(400, 100) },
    );
  });

  it('are near from either end, with each row once, in a list of thousands with ties and nulls', async () => {
    const large = randomUUID();
    const [{ id: user }] = await dataSource.query<[{ id: string }]>('SELECT id FROM users LIMIT 1');
    await dataSource.query('INSERT INTO organizations (id, name) VALUES ($1, $2)', [large, 'large']);
    await dataSource.query(
      `INSERT INTO conversations (id, org_id, created_by_user_id, start_state, title, llm_model,
                                  accumulated_cost, created_at, updated_at)
       SELECT gen_random_uuid(), $1, $2, 'ready', CASE WHEN n % 3 > 0 THEN 'Title ' || n % 50 END,
              CASE WHEN n % 5 > 0 THEN 'model-' || n % 7 END, n % 11, $3::timestamptz - interval '1 hour' * (n % 300),
              $3::timestamptz - interval '1 minute' * (n % 900)
         FROM generate_series(1, 3210) n`,
      [large, user, NOW],
    );
    for (const sort_by of ['created_at', 'updated_at', 'llm_model', 'accumulated_cost', 'title'] as const)
      for (const sort_order of ['asc', 'desc'] as const) {
        const key = sort_by === 'title' ? 'lower(title)' : sort_by;
        const collation = ['title', 'llm_model'].includes(sort_by) ? 'COLLATE "C"' : '';
        for (const [time_window, since] of [
          ['all', new Date(0)],
          ['7d', new Date(NOW.getTime() - 7 * DAY_MS)],
        ] as const) {
          const rows = await dataSource.query<{ id: string }[]>(
            `SELECT id FROM conversations WHERE org_id = $1 AND created_at >= $2
              ORDER BY ${key} ${collation} ${sort_order} NULLS LAST, id ${sort_order}`,
            [large, since],
          );
          const walked: string[] = [];
          for (let page = 1; page <= rows.length / 100 + 1; page += 1) {
            const { page: listed } = await service.list(
              large,
              ask({ sort_by, sort_order, time_window, page, per_page: 100 }),
            );
            expect(listed.total_items).toBe(rows.length);
            walked.push(...listed.items.map(({ id }) => id));
          }
          expect(walked).toEqual(rows.map(({ id }) => id));
        }
      }
  });

  it('tell times in UTC where the settings of a connection do not reach the database', async () => {
    const url = new URL(database.url);
    url.searchParams.set('options', '-c timezone=Asia/Kolkata');
    const elsewhere = createDataSource(url.href, 1);
    const other = new OrgListDatabase(elsewhere);
    try {
      const query = ask({ per_page: 100 });
      const list = new OrgListService(other, NO_ADDRESSES, new FixedClock());
      const answered = await list.list(org, query);
      expect(await other.row('SHOW timezone', [])).toEqual({ TimeZone: 'Asia/Kolkata' });
      expect(answered).toEqual(await service.list(org, query));
      expect(await list.text(org, query)).toBe(JSON.stringify(answered.page));
    } finally {
      await other.onApplicationShutdown();
    }
  });
});
