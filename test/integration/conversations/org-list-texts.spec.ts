import { randomBytes, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { DataSource } from 'typeorm';
import { text as textOf } from 'node:stream/consumers';
import { Clock, CsvLines } from '../../../src/kernel/common';
import { OrgListDatabase } from '../../../src/conversations/conversations/org-list/database/org-list-database';
import {
  OrgConversationResponse,
  OrgConversationsExport,
  OrgConversationsQuery,
} from '../../../src/conversations/conversations/org-list/list/org-conversations.dto';
import { OrgListService } from '../../../src/conversations/conversations/org-list/list/org-list.service';
import { OrgExportService } from '../../../src/conversations/conversations/org-list/export/org-export.service';
import { createDataSource } from '../../../src/kernel/database';
import { declaredFields } from '../../../src/kernel/validation';
import type { SandboxReader } from '../../../src/sandboxes/sandboxes';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { rounds } from '../../support/rounds';

const ADDRESSES: Pick<SandboxReader, 'conversationBaseOf'> = {
  conversationBaseOf: ({ id, driver, baseUrl, port }) =>
    baseUrl === null ? null : `${baseUrl}/${driver}/${port}/${id}`,
};

/** Any text that the database stores: with control characters, quotes, separators of lines and pairs of surrogates. */
const text = (maxLength: number): fc.Arbitrary<string> =>
  fc
    .oneof(
      fc.string({ unit: 'binary', maxLength }),
      fc.string({
        unit: fc.constantFrom(...Array.from('"\\/\b\f\n\r\t\u0001\u001f\u007f\u2028\u2029é🐙va{}[],')),
        maxLength,
      }),
    )
    .map((any) => any.replaceAll('\u0000', ''));
const orNull = <Value>(values: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> =>
  fc.option(values, { nil: null });
const time = fc.oneof(
  fc.date({
    min: new Date('0001-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  }),
  fc.constantFrom(new Date('2026-11-21T08:06:53Z'), new Date('2026-11-21T08:06:53.900Z')),
);
const cost = fc
  .oneof(
    fc.double(),
    fc.double({ min: 1e-8, max: 1e16 }),
    fc.integer({ min: 0, max: 100_000_000 }).map((micros) => micros / 1e6),
    fc.constantFrom(
      0,
      -0,
      0.1,
      1e-4,
      9.999e-5,
      1e-5,
      1e-7,
      1e14,
      1e15,
      123456789012345680,
      1e21,
      NaN,
      Infinity,
      -Infinity,
    ),
  )
  .map((number) => (Object.is(number, -0) ? '-0' : String(number)));
const FEW = { min: 0n, max: 2n ** 52n };
/** Mostly what a service counts; also what no number of it is. */
const tokens = fc.oneof(
  { weight: 30, arbitrary: fc.bigInt(FEW) },
  { weight: 30, arbitrary: fc.constantFrom(0n, 1n, 2n ** 31n, 2n ** 52n) },
  { weight: 1, arbitrary: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }) },
);
const tags = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom('{}', '{"team": "shop"}', '{"n": 1e400}', '{"n": 10000000000000000001}'),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('{"b": 0, "2": 1, "1": 1.10}', '{"__proto__": {"a": 1}}', '{"z": -0.0}'),
  },
  {
    weight: 3,
    arbitrary: fc
      .dictionary(text(8), fc.jsonValue({ stringUnit: 'binary', maxDepth: 2 }), { maxKeys: 4 })
      .map((value) => JSON.stringify(value).replaceAll(String.raw`\u0000`, '')),
  },
);
const LARGE = JSON.stringify({ large: randomBytes(1_500).toString('hex') });

const sandbox = fc.record({
  driver: text(20),
  status: fc.constantFrom('RUNNING', 'RUNNING', 'PAUSED', 'ERROR', 'STARTING', 'MISSING'),
  stopping: fc.constantFrom(null, null, null, 'pause', 'delete'),
  base_url: orNull(text(60)),
  port: orNull(fc.nat(65_535)),
});

const conversation = fc.record({
  where: fc.oneof(sandbox, fc.constantFrom('none', 'unknown')),
  agent_kind: text(20),
  start_state: fc.constantFrom('starting', 'ready', 'ready', 'failed'),
  title: orNull(text(300)),
  llm_model: orNull(text(60)),
  execution_status: fc.constantFrom('idle', 'running', 'paused', 'finished', 'error', 'stuck', null),
  selected_repository: orNull(text(60)),
  selected_branch: orNull(text(60)),
  git_provider: fc.constantFrom('github', 'bitbucket_data_center', null),
  trigger: fc.constantFrom('gui', 'suggested_task', null),
  pr_number: fc.array(fc.oneof(fc.integer(), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })), {
    maxLength: 4,
  }),
  pr_merged: orNull(fc.boolean()),
  tags: fc.oneof({ weight: 20, arbitrary: tags }, { weight: 1, arbitrary: fc.constant(LARGE) }),
  accumulated_cost: cost,
  prompt_tokens: tokens,
  completion_tokens: tokens,
  cache_read_tokens: tokens,
  cache_write_tokens: tokens,
  created_at: time,
  updated_at: time,
});
type Generated = typeof conversation extends fc.Arbitrary<infer Value> ? Value : never;

describe('a page or an export that the database writes', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let reader: OrgListDatabase;
  let service: OrgListService;
  let exports: OrgExportService;
  const user = randomUUID();

  beforeAll(async () => {
    database = await createTestDatabase();
    dataSource = await createDataSource(database.url, 2).initialize();
    reader = new OrgListDatabase(dataSource);
    service = new OrgListService(reader, ADDRESSES, new Clock());
    exports = new OrgExportService(reader, ADDRESSES, new Clock());
  });
  afterAll(async () => {
    await reader.onApplicationShutdown();
    await dataSource.destroy();
    await database.drop();
  });

  async function insert(table: string, row: Readonly<Record<string, unknown>>): Promise<void> {
    const columns = Object.keys(row);
    const values = columns.map((_, index) => `$${index + 1}`);
    await dataSource.query(
      `INSERT INTO ${table} (${columns.join()}) VALUES (${values.join()})`,
      Object.values(row),
    );
  }

  async function store(org: string, { where, ...row }: Generated): Promise<void> {
    const owner = { org_id: org, created_by_user_id: user };
    const sandbox_id = where === 'none' ? null : randomUUID();
    if (typeof where === 'object')
      await insert('sandboxes', { ...owner, ...where, id: sandbox_id, last_activity_at: new Date() });
    await insert('conversations', { ...owner, ...row, id: randomUUID(), sandbox_id });
  }

  /** The export of an organization, and what it is of these records. */
  async function exported(org: string, records: readonly OrgConversationResponse[]) {
    const csv = new CsvLines(declaredFields(OrgConversationResponse).map(({ name }) => name));
    const place = ({ created_at, id }: OrgConversationResponse): string => `${created_at} ${id}`;
    const inOrder = records.toSorted((a, b) => (place(a) < place(b) ? -1 : 1));
    const { signal } = new AbortController();
    const file = await exports.export(org, new OrgConversationsExport(), signal);
    const expected = csv.header + inOrder.map((record) => csv.line(record)).join('');
    return { text: await textOf(file.getStream()), expected };
  }

  it('is what the mapper makes of its rows, to the byte', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(conversation, { maxLength: 5 }), text(40), async (rows, email) => {
        const org = randomUUID();
        await dataSource.query('INSERT INTO organizations (id, name) VALUES ($1, $2)', [org, 'o']);
        await dataSource.query(
          'INSERT INTO users (id, email) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET email = EXCLUDED.email',
          [user, email],
        );
        for (const row of rows) await store(org, row);
        const isCounted = rows.every((row) =>
          [row.prompt_tokens, row.completion_tokens, row.cache_read_tokens, row.cache_write_tokens].every(
            (count) => FEW.min <= count && count <= FEW.max,
          ),
        );
        for (const sandbox_status of [null, 'RUNNING', 'MISSING'] as const) {
          const query = Object.assign(new OrgConversationsQuery(), { sandbox_status });
          const { page, unreadBytes } = await service.list(org, query);
          const written = await service.text(org, query);
          const isWritten = isCounted && unreadBytes.size === 0;
          // Of the others, those that the filter leaves out do not count.
          if (isWritten || written !== null) expect(written).toBe(JSON.stringify(page));
          if (!isWritten && sandbox_status === null) expect(written).toBeNull();
          if (unreadBytes.size > 0 || sandbox_status !== null) continue;
          const { text: exportText, expected } = await exported(org, page.items);
          expect(exportText).toBe(expected);
        }
      }),
      { numRuns: rounds(2_000, 150) },
    );
  });
});
