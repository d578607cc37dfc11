import { randomUUID } from 'node:crypto';
import type { ConversationService } from '../../support/service/conversation-service';
import { DoubledService } from '../../support/agent-server/doubled-service';
import { makeCaller, makeOrg } from '../../support/service/factories';
import type { HttpResponse } from '../../support/service/http';

interface Page {
  readonly items: { readonly id: string }[];
  readonly next_page_id: string | null;
}

/** Minutes after a full hour. */
function at(minute: number): string {
  return `2026-01-02T03:${String(minute).padStart(2, '0')}:00`;
}

describe('the events of a conversation', () => {
  let doubled: DoubledService;
  let service: ConversationService;
  let id: string;

  beforeAll(async () => {
    doubled = await DoubledService.start();
    ({ service } = doubled);
    ({ id } = await doubled.conversation());
    await receive(id, [
      { id: 'third', kind: 'ActionEvent', timestamp: at(3) },
      { id: 'tie-b', kind: 'MessageEvent', timestamp: at(2) },
      { id: 'tie-a', kind: 'MessageEvent', timestamp: at(2) },
      { id: 'first', kind: 'SystemPromptEvent', timestamp: at(1) },
    ]);
    await receive(id, [{ id: 'tie-c', kind: 'MessageEvent', timestamp: at(2) }]);
  });

  afterAll(() => doubled.close());

  async function receive(conversationId: string, events: readonly unknown[]): Promise<void> {
    const response = await service.call('POST', `/api/v1/webhooks/events/${conversationId}`, {
      headers: { 'X-Session-API-Key': doubled.double.target.apiKey },
      body: events,
    });
    expect(response.status).toBe(200);
  }

  function get<Body>(rest: string, key = service.owner.key): Promise<HttpResponse<Body>> {
    return service.call<Body>('GET', `/api/v1/conversation/${id}/events${rest}`, { key });
  }

  async function search(query = ''): Promise<string[]> {
    const { status, body } = await get<Page>(`/search${query}`);
    expect(status).toBe(200);
    return body.items.map((event) => event.id);
  }

  it('come by time, ties in the order of arrival', async () => {
    expect(await search()).toEqual(['first', 'tie-b', 'tie-a', 'tie-c', 'third']);
    expect(await search('?sort_order=TIMESTAMP_DESC')).toEqual(['third', 'tie-c', 'tie-a', 'tie-b', 'first']);
  });

  it.each(['TIMESTAMP', 'TIMESTAMP_DESC'])(
    'come page by page in the order %s, none twice and none left out',
    async (order) => {
      const whole = await search(`?sort_order=${order}`);
      const walked: string[] = [];
      let pageId: string | null = null;
      do {
        const page: HttpResponse<Page> = await get<Page>(
          `/search?sort_order=${order}&limit=2${pageId === null ? '' : `&page_id=${pageId}`}`,
        );
        walked.push(...page.body.items.map((event) => event.id));
        pageId = page.body.next_page_id;
      } while (pageId !== null && walked.length < 20);
      expect(walked).toEqual(whole);
    },
  );

  it('are filtered by kind and time, together', async () => {
    expect(await search('?kind__eq=MessageEvent')).toEqual(['tie-b', 'tie-a', 'tie-c']);
    expect(await search(`?timestamp__gte=${at(2)}Z&timestamp__lt=${at(3)}Z`)).toEqual([
      'tie-b',
      'tie-a',
      'tie-c',
    ]);
    expect(await search(`?timestamp__gte=${at(3)}`)).toEqual(['third']);
    expect(await search(`?kind__eq=ActionEvent&timestamp__lt=${at(3)}`)).toEqual([]);
    expect(await search('?kind__eq=%00')).toEqual([]);
  });

  it('are counted under the same filters', async () => {
    expect(await get('/count')).toMatchObject({ status: 200, body: 5 });
    expect(await get(`/count?kind__eq=MessageEvent`)).toMatchObject({ status: 200, body: 3 });
    expect(await get(`/count?timestamp__lt=${at(2)}`)).toMatchObject({ status: 200, body: 1 });
    expect(await get('/count?kind__eq=%00')).toMatchObject({ status: 200, body: 0 });
  });

  it('come a hundred at a time at most, whatever is asked', async () => {
    const many = await doubled.conversation();
    await receive(
      many.id,
      Array.from({ length: 101 }, (_, index) => ({ id: `event-${index}`, kind: 'TokenEvent' })),
    );
    for (const query of ['', '?limit=1000', '?limit=101']) {
      const { status, body } = await service.call<Page>(
        'GET',
        `/api/v1/conversation/${many.id}/events/search${query}`,
      );
      expect([status, body.items.length]).toEqual([200, 100]);
      expect(body.next_page_id).toEqual(expect.any(String));
    }
  });

  it.each(['limit=0', 'limit=x', 'sort_order=SIDEWAYS', 'timestamp__gte=yesterday'])(
    'is 422 for %s',
    async (query) => {
      expect((await get(`/search?${query}`)).status).toBe(422);
    },
  );

  it('are read by id, in the order of the ids, null for unknown ones', async () => {
    const { status, body } = await get<({ id: string } | null)[]>('?ids=third,unknown&ids=first&ids=third');
    expect(status).toBe(200);
    expect(body.map((event) => event?.id ?? null)).toEqual(['third', null, 'first', 'third']);
    for (const [query, expected] of [
      ['?ids=x', [null]],
      ['', []],
    ] as const) {
      const answer = await get(query);
      expect([answer.status, answer.body]).toEqual([200, expected]);
    }
  });

  it('are 404 for those who may not read the conversation, and readable for admins', async () => {
    const { db } = service.app;
    const admin = await makeCaller(db, service.owner.orgId, 'admin');
    const member = await makeCaller(db, service.owner.orgId);
    const stranger = await makeCaller(db, (await makeOrg(db)).id, 'owner');
    for (const path of ['/search', '/count', '?ids=first']) {
      expect((await get(path, admin.key)).status).toBe(200);
      expect((await get(path, member.key)).status).toBe(404);
      expect((await get(path, stranger.key)).status).toBe(404);
    }
    const unknown = await service.call('GET', `/api/v1/conversation/${randomUUID()}/events/search`);
    expect(unknown.status).toBe(404);
  });
});
