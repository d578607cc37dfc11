import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { DoubledService } from '../../support/agent-server/doubled-service';
import { storeConversation } from '../../support/queue/conversation-rows';
import type { ConversationRecord } from '../../support/service/conversation-service';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import type { ErrorBody } from '../../support/service/http';
import { rounds } from '../../support/rounds';

interface Page {
  readonly items: readonly ConversationRecord[];
  readonly next_page_id: string | null;
}

const PATH = '/api/v1/app-conversations';
const MAX_PAGES = 60;

describe('conversations with large tags and many pull requests', () => {
  let doubled: DoubledService;
  beforeAll(async () => {
    doubled = await DoubledService.start();
  });
  afterAll(() => doubled.close());

  const caller = async (): Promise<TestCaller> => {
    const { db } = doubled.service.app;
    return makeCaller(db, (await makeOrg(db)).id, 'admin');
  };

  /** Tags as the API takes them at most: 50, with values of 1,000 bytes. */
  const tags = (count: number, bytes = 990): Record<string, string> =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`tag ${n} "é"`, `${n}`.padEnd(bytes, 'x')]));

  async function stored(owner: TestCaller, fields: readonly { tags: object; pr_number: number[] }[]) {
    const rows = [];
    for (const [n, each] of fields.entries())
      rows.push(
        await storeConversation(doubled.service.app.db, {
          org_id: owner.orgId,
          created_by_user_id: owner.userId,
          created_at: new Date(Date.now() - n * 1_000),
          tags: { ...each.tags },
          pr_number: each.pr_number,
        }),
      );
    return rows.map(({ id }) => id);
  }

  const get = async <Body>({ key }: TestCaller, path: string) => {
    const { status, headers, body } = await doubled.service.call<Body>('GET', path, { key });
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    return body;
  };

  async function walk(owner: TestCaller, limit: number): Promise<Page[]> {
    const pages: Page[] = [];
    for (let next: string | null = null; pages.length < MAX_PAGES;) {
      const query = `limit=${limit}${next === null ? '' : `&page_id=${next}`}`;
      const page: Page = await get<Page>(owner, `${PATH}/search?${query}`);
      pages.push(page);
      next = page.next_page_id;
      if (next === null) return pages;
    }
    throw new Error('The search does not end.');
  }

  it('are answered whole by search, by their ids and in the list of the organization', async () => {
    const owner = await caller();
    const large = { tags: tags(50), pr_number: Array.from({ length: 1_000 }, (_, n) => n) };
    const ids = await stored(owner, [
      large,
      { tags: { a: 1 }, pr_number: [7] },
      ...Array<typeof large>(30).fill(large),
    ]);
    const one = await get<ConversationRecord>(owner, `${PATH}/${ids[0]}`);
    expect([one.tags, one.pr_number]).toEqual([large.tags, large.pr_number]);

    const [page] = await walk(owner, 100);
    expect(page?.items.map(({ id }) => id)).toEqual(ids);
    expect(page?.items[0]).toEqual(one);
    expect(page?.items[1]).toMatchObject({ tags: { a: 1 }, pr_number: [7] });

    const wanted = [ids[5], randomUUID(), ids[0]];
    const many = await get<(ConversationRecord | null)[]>(owner, `${PATH}?ids=${wanted.join()}`);
    expect(many.map((record) => record?.id ?? null)).toEqual([ids[5], null, ids[0]]);
    expect(many[2]).toEqual(one);

    const listed = await get<Page & Record<string, unknown>>(
      owner,
      `/api/organizations/${owner.orgId}/conversations?per_page=100&sort_by=created_at`,
    );
    expect(listed.items.map(({ id }) => id)).toEqual(ids);
    expect(listed).toMatchObject({
      total_items: 32,
      page: 1,
      per_page: 100,
      total_pages: 1,
      pagination_accurate: true,
    });
    expect([listed.items[0]?.tags, listed.items[0]?.pr_number]).toEqual([large.tags, large.pr_number]);
  });

  it('of ids count each time they are named: beyond 16 MiB they are 413', async () => {
    const owner = await caller();
    // As many as the database takes, which is more than the API does.
    const [id] = await stored(owner, [{ tags: tags(100, 1_250), pr_number: [] }]);
    const ask = (times: number) =>
      doubled.service.call<ErrorBody>('GET', `${PATH}?ids=${Array(times).fill(id).join()}`, {
        key: owner.key,
      });
    expect((await ask(99)).status).toBe(200);
    await doubled.service.app.db.query(
      `UPDATE conversations SET tags = jsonb_build_object('t', repeat('x', 131000)),
              pr_number = (SELECT array_agg(n) FROM generate_series(1, 1000) n) WHERE id = $1`,
      [id],
    );
    // 99 of 152 KiB are below, 100 of those with sub-conversations above.
    expect((await ask(99)).status).toBe(200);
    await doubled.service.app.db.query(
      `INSERT INTO conversations (id, org_id, created_by_user_id, parent_conversation_id, start_state)
       SELECT gen_random_uuid(), $1, $2, $3, 'ready' FROM generate_series(1, 600)`,
      [owner.orgId, owner.userId, id],
    );
    const { status, body } = await ask(100);
    expect([status, body.code]).toEqual([413, 'answer_too_large']);
  });

  it('are each on one page of the search, newest first, whatever their sizes and the limit', async () => {
    const fields = fc.record({
      tags: fc.oneof(
        fc.constant({}),
        fc.integer({ min: 0, max: 50 }).map((count) => tags(count)),
        fc.integer({ min: 1, max: 2_200 }).map((bytes) => tags(1, bytes)),
      ),
      pr_number: fc
        .integer({ min: 0, max: 1_000 })
        .map((count) => Array.from({ length: count }, (_, n) => n)),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fields, { maxLength: 12 }),
        fc.integer({ min: 1, max: 14 }),
        async (all, limit) => {
          const owner = await caller();
          const ids = await stored(owner, all);
          const found = (await walk(owner, limit)).flatMap(({ items }) => items);
          expect(found.map(({ id }) => id)).toEqual(ids);
          expect(found.map((record) => [record.tags, record.pr_number])).toEqual(
            all.map((each) => [each.tags, each.pr_number]),
          );
          const listed = await get<Page>(
            owner,
            `/api/organizations/${owner.orgId}/conversations?per_page=100&sort_by=created_at`,
          );
          expect(listed.items.map((record) => [record.id, record.tags, record.pr_number])).toEqual(
            found.map((record) => [record.id, record.tags, record.pr_number]),
          );
        },
      ),
      { numRuns: rounds(15, 4) },
    );
  });
});
