import { startTestApp, type TestApp } from '../../support/service/app';
import { storeConversation } from '../../support/queue/conversation-rows';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { call } from '../../support/service/http';

interface Found {
  readonly items: readonly { readonly id: string; readonly title: string | null }[];
  readonly next_page_id: string | null;
}

describe('GET /api/v1/app-conversations/search', () => {
  let app: TestApp;
  let caller: TestCaller;

  beforeAll(async () => {
    app = await startTestApp({ env: { APP_ROLE: 'api' } });
    caller = await makeCaller(app.db, (await makeOrg(app.db)).id);
    for (const title of ['ΟΔΟΣ', 'οδόσ', 'ΟΔΟΣ', 'İstanbul', 'Äpfel'])
      await storeConversation(app.db, { org_id: caller.orgId, created_by_user_id: caller.userId, title });
  });

  afterAll(() => app.close());

  async function search(query: Record<string, string>): Promise<{ status: number; body: Found }> {
    const path = `/api/v1/app-conversations/search?${new URLSearchParams(query).toString()}`;
    return call<Found>(app, 'GET', path, { key: caller.key });
  }

  it.each(['TITLE', 'TITLE_DESC', 'CREATED_AT', 'UPDATED_AT_DESC'])(
    'shows every conversation once, page by page, by %s',
    async (sort_order) => {
      const whole = (await search({ sort_order })).body.items.map(({ id }) => id);
      const seen: string[] = [];
      let pageId: string | null = null;
      do {
        const page: Found = (
          await search({ sort_order, limit: '1', ...(pageId !== null && { page_id: pageId }) })
        ).body;
        seen.push(...page.items.map(({ id }) => id));
        pageId = page.next_page_id;
      } while (pageId !== null && seen.length < 10);
      expect(seen).toEqual(whole);
      expect(whole).toHaveLength(5);
    },
  );

  it('finds those that have all tags, and counts them', async () => {
    const owner = { org_id: caller.orgId, created_by_user_id: caller.userId };
    const other = await makeCaller(app.db, caller.orgId);
    await storeConversation(app.db, { ...owner, title: 'one', tags: { team: 'tags', env: 'prod' } });
    await storeConversation(app.db, { ...owner, title: 'two', tags: { team: 'tags' } });
    await storeConversation(app.db, {
      org_id: caller.orgId,
      created_by_user_id: other.userId,
      tags: { team: 'tags', env: 'prod' },
    });
    const found = async (query: string): Promise<unknown[]> => {
      const [searched, counted] = await Promise.all([
        call<Found>(app, 'GET', `/api/v1/app-conversations/search?${query}`, { key: caller.key }),
        call<number>(app, 'GET', `/api/v1/app-conversations/count?${query}`, { key: caller.key }),
      ]);
      return [searched.body.items.map(({ title }) => title), counted.body];
    };
    expect(await found('tags=team:tags&sort_order=TITLE')).toEqual([['one', 'two'], 2]);
    expect(await found('tags=team:tags&tags=env:prod')).toEqual([['one'], 1]);
    expect(await found('tags=team:Tags')).toEqual([[], 0]);
  });
});
