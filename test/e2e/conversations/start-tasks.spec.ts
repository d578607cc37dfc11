import { randomUUID } from 'node:crypto';
import { type ConversationService, type StartTask } from '../../support/service/conversation-service';
import { startOf } from '../../support/agent-server/agent-server-calls';
import { DoubledService } from '../../support/agent-server/doubled-service';
import { makeCaller, makeKey, makeOrg } from '../../support/service/factories';
import type { ErrorBody } from '../../support/service/http';

const PATH = '/api/v1/app-conversations';

interface Page {
  readonly items: StartTask[];
  readonly next_page_id: string | null;
}

describe('start tasks', () => {
  let doubled: DoubledService;
  let service: ConversationService;

  beforeAll(async () => {
    doubled = await DoubledService.start();
    ({ service } = doubled);
  });

  beforeEach(() => doubled.double.heal());

  afterAll(() => doubled.close());

  describe('GET /start-tasks?ids=', () => {
    it('answers in the order of the ids, in any spelling, null for what is not there', async () => {
      const [one, two] = [await service.begin(), await service.begin()];
      const hex = one.id.replaceAll('-', '');
      const ids = [two.id, randomUUID(), 'nonsense', `task-${hex}`, hex.toUpperCase()];
      const { body } = await service.call<(StartTask | null)[]>(
        'GET',
        `${PATH}/start-tasks?ids=${ids.slice(0, 2).join(',')}${ids
          .slice(2)
          .map((id) => `&ids=${id}`)
          .join('')}`,
      );
      expect(body.map((task) => task?.id ?? null)).toEqual([two.id, null, null, one.id, one.id]);
      await Promise.all([service.ended(one.id), service.ended(two.id)]);
    });

    it('is null for one that is no id, and empty without ids', async () => {
      for (const [query, expected] of [
        ['?ids=x', [null]],
        ['', []],
      ] as const) {
        const { status, body } = await service.call('GET', `${PATH}/start-tasks${query}`);
        expect([status, body]).toEqual([200, expected]);
      }
    });

    it("is null for what is not the caller's, for admins too, and in another organization", async () => {
      const { db } = service.app;
      const task = await service.begin();
      const admin = await makeCaller(db, service.owner.orgId, 'admin');
      const bound = await makeKey(db, service.owner.userId, { orgId: (await makeOrg(db)).id });
      for (const { key } of [admin, bound]) {
        const { body } = await service.call('GET', `${PATH}/start-tasks?ids=${task.id}`, { key });
        expect(body).toEqual([null]);
      }
      await service.ended(task.id);
    });
  });

  it("GET /start-tasks/search walks the caller's own, newest first", async () => {
    const { db } = service.app;
    const caller = await makeCaller(db, (await makeOrg(db)).id);
    const made: StartTask[] = [];
    for (let index = 0; index < 5; index++) made.push(await service.begin({}, { key: caller.key }));
    // Two of the same moment.
    await db.query(
      'UPDATE start_tasks SET created_at = (SELECT created_at FROM start_tasks WHERE id = $1) WHERE id = $2',
      [made[2]?.id, made[1]?.id],
    );
    const walked: string[] = [];
    let pageId: string | null = null;
    do {
      const page: { body: Page } = await service.call<Page>(
        'GET',
        `${PATH}/start-tasks/search?limit=2${pageId === null ? '' : `&page_id=${pageId}`}`,
        { key: caller.key },
      );
      walked.push(...page.body.items.map(({ id }) => id));
      pageId = page.body.next_page_id;
    } while (pageId !== null && walked.length < 20);
    expect([...walked].sort()).toEqual(made.map(({ id }) => id).sort());
    expect([walked[0], walked[4]]).toEqual([made[4]?.id, made[0]?.id]);
    const other = await service.call<Page>('GET', `${PATH}/start-tasks/search?limit=1000`);
    expect(other.body.items.filter(({ id }) => walked.includes(id))).toEqual([]);
    await db.query(`UPDATE sandboxes SET status = 'MISSING' WHERE org_id = $1`, [caller.orgId]);
  });

  it('GET /start-tasks/count counts what the search finds', async () => {
    const { db } = service.app;
    const caller = await makeCaller(db, (await makeOrg(db)).id);
    const tasks = [
      await service.begin({}, { key: caller.key }),
      await service.begin({}, { key: caller.key }),
    ];
    await db.query(`UPDATE start_tasks SET created_at = '2026-01-02T03:04:05Z' WHERE id = $1`, [
      tasks[0]?.id,
    ]);
    const [first] = await db.query<{ conversation_id: string }[]>(
      'SELECT conversation_id FROM start_tasks WHERE id = $1',
      [tasks[0]?.id],
    );
    const counted = async (query: string, key = caller.key): Promise<unknown> => {
      const { body } = await service.call('GET', `${PATH}/start-tasks/count${query}`, { key });
      const { items } = (await service.call<Page>('GET', `${PATH}/start-tasks/search${query}`, { key })).body;
      expect(items).toHaveLength(Number(body));
      return body;
    };
    expect(await counted('')).toBe(2);
    expect(await counted(`?conversation_id__eq=${first?.conversation_id}`)).toBe(1);
    expect(await counted('?conversation_id__eq=nonsense')).toBe(0);
    expect(await counted('?created_at__gte=2026-01-02T03:04:05Z')).toBe(2);
    expect(await counted('?created_at__gte=2026-01-02T03:04:06Z')).toBe(1);
    expect(await counted('', (await makeCaller(db, caller.orgId, 'owner')).key)).toBe(0);
    await db.query(`UPDATE sandboxes SET status = 'MISSING' WHERE org_id = $1`, [caller.orgId]);
  });

  it('GET /start-tasks/search finds the task of a conversation', async () => {
    const id = await service.ready();
    const find = async (text: string): Promise<(string | null)[]> => {
      const { body } = await service.call<Page>(
        'GET',
        `${PATH}/start-tasks/search?conversation_id__eq=${text}`,
      );
      return body.items.map((task) => task.app_conversation_id);
    };
    expect(await find(id.replaceAll('-', ''))).toEqual([id]);
    expect(await find(randomUUID())).toEqual([]);
    expect(await find('nonsense')).toEqual([]);
  });

  describe('POST /stream-start', () => {
    async function stream(
      body: unknown,
      onChunk: () => void = () => undefined,
    ): Promise<{ response: Response; chunks: string[] }> {
      const response = await fetch(`${service.app.url}${PATH}/stream-start`, {
        method: 'POST',
        headers: { 'X-Access-Token': service.owner.key, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
      const chunks: string[] = [];
      const decoder = new TextDecoder();
      if (response.body)
        for await (const chunk of response.body) {
          chunks.push(decoder.decode(chunk as Uint8Array));
          onChunk();
        }
      return { response, chunks };
    }

    it('is one JSON array, written as it happens, to READY', async () => {
      const conversation_id = randomUUID();
      let release: () => void = () => undefined;
      const until = new Promise<void>((resolve) => (release = resolve));
      // It goes on when something of it was read: else all may be read at once.
      doubled.double.fail({ kind: 'held', until }, startOf(conversation_id), Infinity);
      const { response, chunks } = await stream({ conversation_id, title: 'Streamed' }, release);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toContain('application/json');
      const states = JSON.parse(chunks.join('')) as StartTask[];
      expect(states[0]).toMatchObject({ status: 'WORKING', request: { title: 'Streamed' } });
      expect(states.at(-1)).toMatchObject({
        status: 'READY',
        app_conversation_id: expect.any(String) as unknown,
      });
      expect(new Set(states.map(({ id }) => id)).size).toBe(1);
      expect(chunks.length).toBeGreaterThan(1);
      const [first, ...rest] = JSON.parse(`${chunks[0]}]`) as StartTask[];
      expect(first?.status).toBe('WORKING');
      expect(rest.map(({ status }) => status)).not.toContain('READY');
    });

    it('ends with ERROR and its reason', async () => {
      const conversation_id = doubled.double.addConversation();
      const { chunks } = await stream({ conversation_id });
      const states = JSON.parse(chunks.join('')) as StartTask[];
      expect(states.at(-1)).toMatchObject({
        status: 'ERROR',
        detail: expect.stringContaining('another conversation') as unknown,
      });
    });

    it('answers faults as errors, not as an array', async () => {
      const { response, chunks } = await stream({ sandbox_id: randomUUID() });
      expect(response.status).toBe(404);
      expect((JSON.parse(chunks.join('')) as ErrorBody).code).toBe('sandbox_not_found');
    });

    it('goes on when the client disconnects', async () => {
      const conversation_id = randomUUID();
      const clientAbort = new AbortController();
      const response = await fetch(`${service.app.url}${PATH}/stream-start`, {
        method: 'POST',
        headers: { 'X-Access-Token': service.owner.key, 'Content-Type': 'application/json' },
        body: JSON.stringify({ conversation_id }),
        signal: clientAbort.signal,
      });
      expect(response.status).toBe(200);
      clientAbort.abort();
      const { body } = await service.call<Page>(
        'GET',
        `${PATH}/start-tasks/search?conversation_id__eq=${conversation_id}`,
      );
      expect((await service.ended(body.items[0]?.id ?? '')).status).toBe('READY');
    });
  });
});
