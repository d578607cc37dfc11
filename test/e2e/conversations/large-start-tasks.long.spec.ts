import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { MEBIBYTE } from '../../../src/kernel/common';
import { DoubledService } from '../../support/agent-server/doubled-service';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import type { StartTask } from '../../support/service/conversation-service';
import type { ErrorBody } from '../../support/service/http';
import { rounds } from '../../support/rounds';

interface Page {
  readonly items: readonly StartTask[];
  readonly next_page_id: string | null;
}

const PATH = '/api/v1/app-conversations/start-tasks';
const MAX_PAGES = 40;

describe('start tasks of large requests', () => {
  let doubled: DoubledService;
  beforeAll(async () => {
    doubled = await DoubledService.start();
  });
  afterAll(() => doubled.close());

  const caller = async (): Promise<TestCaller> => {
    const { db } = doubled.service.app;
    return makeCaller(db, (await makeOrg(db)).id);
  };

  /** Tasks whose requests have titles of so many bytes, newest first. */
  async function tasksOf(owner: TestCaller, sizes: readonly number[]): Promise<string[]> {
    const { db } = doubled.service.app;
    const ids = sizes.map(() => randomUUID());
    await db.query(
      `INSERT INTO conversations (id, org_id, created_by_user_id, start_state)
       SELECT id, $2, $3, 'failed' FROM unnest($1::uuid[]) AS id`,
      [ids, owner.orgId, owner.userId],
    );
    await db.query(
      `INSERT INTO start_tasks (id, org_id, created_by_user_id, conversation_id, sandbox_id, status, request,
                                sealed_secrets, deadline_at, created_at)
       SELECT t.id, $3, $4, t.id, gen_random_uuid(), 'ERROR', jsonb_build_object('title', repeat('x', t.size)),
              repeat('s', 1000000), now(), now() - t.n * interval '1 second'
         FROM unnest($1::uuid[], $2::int[]) WITH ORDINALITY AS t (id, size, n)`,
      [ids, sizes, owner.orgId, owner.userId],
    );
    return ids;
  }

  const search = async ({ key }: TestCaller, query: string) => {
    const { status, headers, body } = await doubled.service.call<Page>('GET', `${PATH}/search?${query}`, {
      key,
    });
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    return body;
  };

  async function walk(owner: TestCaller, limit: number): Promise<Page[]> {
    const pages: Page[] = [];
    for (let next: string | null = null; pages.length < MAX_PAGES;) {
      const page = await search(owner, `limit=${limit}${next === null ? '' : `&page_id=${next}`}`);
      pages.push(page);
      next = page.next_page_id;
      if (next === null) return pages;
    }
    throw new Error('The search does not end.');
  }

  it('end a page of the search after 16 MiB', async () => {
    const owner = await caller();
    const ids = await tasksOf(owner, Array<number>(20).fill(2 * MEBIBYTE));
    const pages = await walk(owner, 100);
    expect(pages.map(({ items }) => items.length)).toEqual([7, 7, 6]);
    expect(pages.flatMap(({ items }) => items.map(({ id }) => id))).toEqual(ids);
    for (const { items } of pages) expect(JSON.stringify(items).length).toBeLessThan(16 * MEBIBYTE);
  });

  it('of ids are 413 beyond 16 MiB, also for one that is named often', async () => {
    const owner = await caller();
    const ids = await tasksOf(owner, Array<number>(9).fill(2 * MEBIBYTE));
    const get = (wanted: readonly (string | undefined)[]) =>
      doubled.service.call<ErrorBody & (StartTask | null)[]>('GET', `${PATH}?ids=${wanted.join()}`, {
        key: owner.key,
      });
    const fits = await get([ids[3], randomUUID(), 'nonsense', ids[1]]);
    expect(fits.body.map((task) => task?.id ?? null)).toEqual([ids[3], null, null, ids[1]]);
    expect(fits.body.map((task) => JSON.stringify(task?.request ?? null).length)).toEqual([
      2 * MEBIBYTE + 12,
      4,
      4,
      2 * MEBIBYTE + 12,
    ]);
    for (const wanted of [ids, Array<string | undefined>(9).fill(ids[0])]) {
      const { status, body } = await get(wanted);
      expect([status, body.code]).toEqual([413, 'answer_too_large']);
    }
  });

  it('that the API was given are answered with what was asked for', async () => {
    const owner = await caller();
    const text = 'z'.repeat(1.9 * MEBIBYTE);
    const { status, body: task } = await doubled.service.call<StartTask>(
      'POST',
      '/api/v1/app-conversations',
      {
        key: owner.key,
        body: { initial_message: { content: [{ type: 'text', text }] }, tags: { a: [1.5, null, 'é"\n'] } },
      },
    );
    expect(status).toBe(200);
    const { items } = await search(owner, 'limit=1');
    expect(items[0]?.request).toEqual(task.request);
    expect(Object.keys(items[0] ?? {}).sort()).toEqual(Object.keys(task).sort());
  });

  it('are each on one page of the search, newest first, whatever their sizes and the limit', async () => {
    const size = fc.oneof(
      fc.integer({ min: 0, max: 300_000 }),
      fc.integer({ min: 0, max: 7 * MEBIBYTE }),
      fc.constantFrom(0, 250 * 1024, 256 * 1024, 8 * MEBIBYTE - 100),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(size, { maxLength: 8 }),
        fc.integer({ min: 1, max: 10 }),
        async (sizes, limit) => {
          const owner = await caller();
          const ids = await tasksOf(owner, sizes);
          const pages = await walk(owner, limit);
          expect(pages.flatMap(({ items }) => items.map(({ id }) => id))).toEqual(ids);
          for (const { items } of pages) {
            expect(items.length).toBeLessThanOrEqual(limit);
            if (items.length > 1) expect(JSON.stringify(items).length).toBeLessThan(16 * MEBIBYTE);
          }
        },
      ),
      { numRuns: rounds(10, 3) },
    );
  });
});
