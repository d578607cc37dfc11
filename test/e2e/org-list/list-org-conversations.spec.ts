import { randomUUID } from 'node:crypto';
import type {
  OrgConversationPage,
  OrgConversationResponse,
} from '../../../src/conversations/conversations/org-list/list/org-conversations.dto';
import { startTestApp, type TestApp } from '../../support/service/app';
import {
  storeConversation,
  type StoredConversation,
  storeSandbox,
} from '../../support/queue/conversation-rows';
import {
  makeCaller,
  makeKey,
  makeMember,
  makeOrg,
  makeUser,
  type TestCaller,
} from '../../support/service/factories';
import { type HttpResponse, call, type ErrorBody } from '../../support/service/http';

const DAY_MS = 86_400_000;

describe('GET /api/organizations/{org_id}/conversations', () => {
  let app: TestApp;
  let admin: TestCaller;

  beforeAll(async () => {
    // Nothing works on the sandboxes that these tests store.
    app = await startTestApp({ env: { APP_ROLE: 'api' } });
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    admin = await makeCaller(app.db, (await makeOrg(app.db)).id, 'admin');
  });

  const listed = (query = ''): Promise<HttpResponse<OrgConversationPage>> =>
    call(app, 'GET', `/api/organizations/${admin.orgId}/conversations${query}`, { key: admin.key });
  const titles = async (query = ''): Promise<(string | null)[]> => {
    const { status, body } = await listed(query);
    expect(status).toBe(200);
    return body.items.map((item) => item.title);
  };
  const store = (fields: Partial<StoredConversation> = {}): Promise<StoredConversation> =>
    storeConversation(app.db, { org_id: admin.orgId, created_by_user_id: admin.userId, ...fields });
  const sandbox = (fields: Parameters<typeof storeSandbox>[2]): Promise<string> =>
    storeSandbox(app.db, { org_id: admin.orgId, created_by_user_id: admin.userId }, fields);
  const ago = (days: number): Date => new Date(Date.now() - days * DAY_MS);

  it('answers an empty page of an organization without conversations', async () => {
    expect((await listed()).body).toEqual({
      items: [],
      total_items: 0,
      page: 1,
      per_page: 20,
      total_pages: 0,
      pagination_accurate: true,
    });
  });

  it('answers every field, null where nothing is known', async () => {
    const { id, created_at } = await store();
    expect((await listed()).body.items).toEqual([
      {
        id,
        user_id: admin.userId,
        title: null,
        llm_model: null,
        agent_kind: 'openhands',
        user_email: admin.email,
        created_at: created_at.toISOString(),
        updated_at: created_at.toISOString(),
        sandbox_id: null,
        sandbox_status: 'STARTING',
        runtime_url: null,
        execution_status: null,
        selected_repository: null,
        selected_branch: null,
        git_provider: null,
        trigger: null,
        pr_number: [],
        pr_merged: null,
        tags: {},
        accumulated_cost: 0,
        prompt_tokens: 0,
        completion_tokens: 0,
        total_tokens: 0,
        cache_read_tokens: 0,
        cache_write_tokens: 0,
      },
    ]);
  });

  it('answers what is known, with the way to the log while the sandbox runs', async () => {
    const sandbox_id = await sandbox({ status: 'RUNNING', port: 41_000 });
    const { id } = await store({
      sandbox_id,
      title: 'Fix the login',
      pr_number: [7, 9_007_199_254_740_991],
      pr_merged: false,
      tags: { team: 'shop' },
      accumulated_cost: 0.5,
      prompt_tokens: 30,
      completion_tokens: 12,
      cache_read_tokens: 3,
      cache_write_tokens: 4,
    });
    expect((await listed()).body.items[0]).toMatchObject({
      sandbox_status: 'RUNNING',
      runtime_url: `http://127.77.0.1:41000/api/conversations/${id}`,
      pr_number: [7, 9_007_199_254_740_991],
      pr_merged: false,
      tags: { team: 'shop' },
      accumulated_cost: 0.5,
      total_tokens: 42,
      cache_read_tokens: 3,
      cache_write_tokens: 4,
    });
  });

  it('is for admins and owners of this organization', async () => {
    const path = `/api/organizations/${admin.orgId}/conversations`;
    const member = await makeCaller(app.db, admin.orgId);
    const stranger = await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner');
    const owner = await makeCaller(app.db, admin.orgId, 'owner');
    expect((await call(app, 'GET', path)).status).toBe(401);
    expect((await call(app, 'GET', path, { key: member.key })).status).toBe(403);
    expect((await call(app, 'GET', path, { key: stranger.key })).status).toBe(403);
    expect((await call(app, 'GET', path, { key: owner.key })).status).toBe(200);
  });

  it('shows those of all members, of no other organization, and none that are deleted', async () => {
    const other = await makeMember(app.db, admin.orgId);
    await store({ title: 'mine' });
    await store({ title: 'theirs', created_by_user_id: other.id, updated_at: ago(1) });
    await store({ title: 'gone', deleted_at: new Date() });
    const elsewhere = await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner');
    await storeConversation(app.db, { org_id: elsewhere.orgId, created_by_user_id: elsewhere.userId });
    expect(await titles()).toEqual(['mine', 'theirs']);
  });

  it('leaves sub-conversations out unless asked for', async () => {
    const parent = await store({ title: 'parent' });
    await store({ title: 'child', parent_conversation_id: parent.id, updated_at: ago(1) });
    expect(await titles()).toEqual(['parent']);
    expect(await titles('?include_sub_conversations=true')).toEqual(['parent', 'child']);
  });

  it('takes execution statuses with commas and repeated', async () => {
    for (const [index, execution_status] of ['idle', 'running', 'error', null].entries())
      await store({ title: execution_status ?? 'none', execution_status, updated_at: ago(index) });
    expect(await titles('?execution_status=idle,error')).toEqual(['idle', 'error']);
    expect(await titles('?execution_status=running&execution_status=idle,running')).toEqual([
      'idle',
      'running',
    ]);
    expect(await titles('?execution_status=stuck')).toEqual([]);
    expect((await listed('?execution_status=deleting')).status).toBe(422);
  });

  it('takes tags, all of which a conversation has, in the export too', async () => {
    await store({ title: 'both', tags: { team: 'shop', ref: 'a:1,2' } });
    await store({ title: 'one', tags: { team: 'shop' } });
    await store({ title: 'number', tags: { team: 1 } });
    const both = '?tags=team:shop&tags=ref:a:1,2';
    expect(await titles(both)).toEqual(['both']);
    expect((await titles('?tags=team:shop')).sort()).toEqual(['both', 'one']);
    expect((await listed('?tags=team:shop&per_page=1')).body.total_items).toBe(2);
    expect(await titles('?tags=team:shop&tags=team:other')).toEqual([]);
    expect(await titles('?tags=team:1')).toEqual([]);
    const path = `/api/organizations/${admin.orgId}/conversations/export${both}`;
    const { body } = await call<string>(app, 'GET', path, { key: admin.key });
    expect(body.trim().split('\n')).toEqual([expect.any(String), expect.stringContaining('both')]);
    const { status, body: refusal } = await call<ErrorBody>(
      app,
      'GET',
      `/api/organizations/${admin.orgId}/conversations?tags=team`,
      { key: admin.key },
    );
    expect([status, refusal.detail]).toEqual([422, [expect.objectContaining({ loc: ['query', 'tags', 0] })]]);
  });

  it('takes time windows on the time of creation', async () => {
    for (const days of [0, 6.99, 7.01, 29.9, 30.1, 89.9, 90.1])
      await store({ title: `${days}`, created_at: ago(days), updated_at: ago(days) });
    const totals = await Promise.all(
      ['7d', '30d', '90d', 'all'].map(async (window) => {
        const { body } = await listed(`?time_window=${window}`);
        expect(body.items).toHaveLength(body.total_items);
        return body.total_items;
      }),
    );
    expect(totals).toEqual([2, 4, 6, 7]);
  });

  it.each([
    ['title', 'asc', ['Alpha', 'beta', 'Gamma', null]],
    ['title', 'desc', ['Gamma', 'beta', 'Alpha', null]],
    ['llm_model', 'asc', ['Gamma', 'Alpha', null, 'beta']],
    ['llm_model', 'desc', ['Alpha', 'Gamma', 'beta', null]],
    ['accumulated_cost', 'asc', ['Alpha', 'beta', null, 'Gamma']],
    ['created_at', 'desc', ['Gamma', null, 'Alpha', 'beta']],
    ['updated_at', 'asc', [null, 'Gamma', 'beta', 'Alpha']],
  ] as const)('sorts by %s %s, null last, ties by id in the same direction', async (by, order, expected) => {
    const id = (last: number): string =>
      `${randomUUID().slice(0, -1)}${last}`.replace(/^.{8}/, `0000000${last}`);
    await store({ id: id(1), title: null, updated_at: ago(9), created_at: ago(2), accumulated_cost: 2 });
    await store({ id: id(2), title: 'beta', updated_at: ago(2), created_at: ago(4), accumulated_cost: 1 });
    await store({
      id: id(3),
      title: 'Alpha',
      llm_model: 'm2',
      updated_at: ago(1),
      created_at: ago(3),
      accumulated_cost: 0.5,
    });
    await store({
      id: id(4),
      title: 'Gamma',
      llm_model: 'm1',
      updated_at: ago(3),
      created_at: ago(1),
      accumulated_cost: 3,
    });
    expect(await titles(`?sort_by=${by}&sort_order=${order}`)).toEqual(expected);
    expect(await titles(`?sort_by=${by}&sort_order=${order}&search=${admin.email}`)).toEqual(expected);
  });

  it('finds parts of title, name, address and sandbox id in any case, % and _ as they are', async () => {
    const ada = await makeMember(
      app.db,
      admin.orgId,
      'member',
      await makeUser(app.db, { name: 'Ada Ünal', email: `lovelace-${randomUUID()}@example.com` }),
    );
    const sandbox_id = await sandbox({ status: 'PAUSED' });
    await store({ title: 'Größe 100% of a_b \\ "quoted" ’s 🐙', updated_at: ago(1) });
    await store({ title: 'plain axb 100', sandbox_id, updated_at: ago(2) });
    await store({ title: 'hers', created_by_user_id: ada.id, updated_at: ago(3) });
    const search = (text: string): Promise<(string | null)[]> =>
      titles(`?search=${encodeURIComponent(text)}`).then((all) =>
        all.map((title) => title?.split(' ')[0] ?? null),
      );
    expect(await search('GRÖSSE'.toLowerCase())).toEqual([]);
    expect(await search('GRÖßE')).toEqual(['Größe']);
    expect(await search('100%')).toEqual(['Größe']);
    expect(await search('%')).toEqual(['Größe']);
    expect(await search('_')).toEqual(['Größe']);
    expect(await search('a_b')).toEqual(['Größe']);
    expect(await search('\\')).toEqual(['Größe']);
    expect(await search('"quoted"')).toEqual(['Größe']);
    expect(await search("'; DROP TABLE conversations; --")).toEqual([]);
    expect(await search('🐙')).toEqual(['Größe']);
    expect(await search('  plain  ')).toEqual(['plain']);
    expect(await search('x')).toEqual(expect.arrayContaining(['plain']));
    expect(await search('ünal')).toEqual(['hers']);
    expect(await search('LOVELACE')).toEqual(['hers']);
    expect(await search(sandbox_id.toUpperCase())).toEqual(['plain']);
    expect(await search(sandbox_id.slice(3, 17))).toEqual(['plain']);
    expect(await search('   ')).toHaveLength(3);
    expect(await search('\u0000')).toEqual([]);
    expect(await search('a'.repeat(10_000))).toEqual([]);
    expect((await listed('?search=a')).body.total_items).toBe((await titles('?search=a')).length);
  });

  describe('with sandbox_status', () => {
    beforeEach(async () => {
      const states: [string, Parameters<typeof storeSandbox>[2] | null, Partial<StoredConversation>][] = [
        ['running', { status: 'RUNNING' }, {}],
        ['not yet known there', { status: 'RUNNING' }, { start_state: 'starting' }],
        ['pausing', { status: 'PAUSED', stopping: 'pause' }, {}],
        ['paused', { status: 'PAUSED' }, {}],
        ['broken', { status: 'ERROR' }, {}],
        ['gone', { status: 'MISSING' }, {}],
        ['without', null, { start_state: 'starting' }],
        ['never started', null, { start_state: 'failed' }],
        ['unknown', null, { sandbox_id: randomUUID() }],
      ];
      for (const [index, [title, fields, more]] of states.entries())
        await store({
          title,
          updated_at: ago(index),
          ...(fields && { sandbox_id: await sandbox(fields) }),
          ...more,
        });
    });

    const EXPECTED = {
      RUNNING: ['running'],
      STARTING: ['not yet known there', 'without'],
      PAUSED: ['pausing', 'paused'],
      ERROR: ['broken', 'never started'],
      MISSING: ['gone', 'unknown'],
    } as const;

    it.each(Object.entries(EXPECTED))(
      'filters the page by %s; totals do not know of it',
      async (status, expected) => {
        const { body } = await listed(`?sandbox_status=${status}`);
        expect(body).toMatchObject({ total_items: 9, total_pages: 1, pagination_accurate: false });
        expect(body.items.map((item) => item.title)).toEqual(expected);
        expect(new Set(body.items.map((item) => item.sandbox_status))).toEqual(new Set([status]));
      },
    );

    it.each(Object.entries(EXPECTED))(
      'filters by %s in the query when totals are to be accurate',
      async (status, expected) => {
        const query = `?sandbox_status=${status}&accurate_totals=true`;
        const { body } = await listed(query);
        expect(body).toMatchObject({
          total_items: expected.length,
          total_pages: 1,
          pagination_accurate: true,
        });
        expect(body.items.map((item) => item.title)).toEqual(expected);
        expect(await titles(`${query}&per_page=1&page=2`)).toEqual(expected.slice(1));
      },
    );

    it('leaves a page shorter where the filter takes items out', async () => {
      expect(await titles('?sandbox_status=PAUSED&per_page=3')).toEqual(['pausing']);
      expect(await titles('?sandbox_status=PAUSED&per_page=3&page=2')).toEqual(['paused']);
      expect(await titles('?sandbox_status=PAUSED&per_page=3&page=3')).toEqual([]);
    });
  });

  describe('pages', () => {
    it('has each row once, whatever the order and from either end', async () => {
      for (let index = 0; index < 23; index += 1)
        await store({
          title: index % 4 === 0 ? null : `t${index % 3}`,
          llm_model: index % 5 === 0 ? null : `m${index % 2}`,
          accumulated_cost: index % 3,
          created_at: new Date(Date.UTC(2026, 0, 1 + (index % 6))),
          updated_at: new Date(Date.UTC(2026, 0, 1 + (index % 7))),
        });
      for (const by of ['created_at', 'updated_at', 'llm_model', 'accumulated_cost', 'title'])
        for (const order of ['asc', 'desc'])
          for (const more of ['', `&search=${admin.email}`]) {
            const query = `?sort_by=${by}&sort_order=${order}${more}`;
            const whole = (await listed(`${query}&per_page=100`)).body.items;
            const walked: OrgConversationResponse[] = [];
            for (let page = 1; page <= 6; page += 1) {
              const { body } = await listed(`${query}&per_page=4&page=${page}`);
              expect(body).toMatchObject({ total_items: 23, total_pages: 6, page, per_page: 4 });
              walked.push(...body.items);
            }
            expect(walked).toEqual(whole);
            expect(new Set(walked.map((item) => item.id)).size).toBe(23);
          }
    });

    it('is empty past the end, however far', async () => {
      await store();
      for (const page of ['2', '1000000000', '9'.repeat(40)])
        for (const more of ['', '&search=example'])
          expect((await listed(`?page=${page}${more}`)).body).toMatchObject({ items: [], total_items: 1 });
    });
  });

  it('tells all faults of a request at once', async () => {
    const { status, body } = await listed('?page=0&per_page=101&sort_by=id&time_window=1d');
    expect(status).toBe(422);
    expect(body).toMatchObject({
      detail: [
        { loc: ['query', 'sort_by'] },
        { loc: ['query', 'time_window'] },
        { loc: ['query', 'page'] },
        { loc: ['query', 'per_page'] },
      ],
    });
  });

  it('answers 500 with an error id when the conversations cannot be read', async () => {
    const broken = await startTestApp();
    try {
      const { id } = await makeOrg(broken.db);
      const owner = await makeCaller(broken.db, id, 'owner');
      await broken.db.query('ALTER TABLE conversation_counts RENAME TO elsewhere');
      const { status, body } = await call<ErrorBody>(
        broken,
        'GET',
        `/api/organizations/${id}/conversations`,
        {
          key: owner.key,
        },
      );
      expect(status).toBe(500);
      expect(body).toMatchObject({
        code: 'conversations_unavailable',
        error_id: expect.any(String) as string,
      });
      expect(JSON.stringify(body)).not.toMatch(/relation|SELECT/);
    } finally {
      await broken.close();
    }
  });

  it('answers 500 that says what to narrow when a query takes too long', async () => {
    const slow = await startTestApp();
    try {
      const { id } = await makeOrg(slow.db);
      const owner = await makeCaller(slow.db, id, 'owner');
      const lock = slow.db.createQueryRunner();
      await lock.startTransaction();
      await lock.query('LOCK TABLE conversations IN ACCESS EXCLUSIVE MODE');
      const { status, body } = await call<ErrorBody>(
        slow,
        'GET',
        `/api/organizations/${id}/conversations?search=login`,
        { key: owner.key },
      );
      await lock.rollbackTransaction();
      await lock.release();
      expect(status).toBe(500);
      expect(body.code).toBe('conversations_unavailable');
      expect(body.detail).toContain('narrow');
    } finally {
      await slow.close();
    }
  });

  describe('GET …/{conversation_id}', () => {
    const read = (id: string, key = admin.key): Promise<HttpResponse<OrgConversationResponse & ErrorBody>> =>
      call(app, 'GET', `/api/organizations/${admin.orgId}/conversations/${id}`, { key });

    it('answers the conversation as the list has it, in any spelling of its id', async () => {
      const { id } = await store({ title: 'one' });
      const [item] = (await listed()).body.items;
      expect((await read(id)).body).toEqual(item);
      expect((await read(id.replaceAll('-', '').toUpperCase())).body).toEqual(item);
    });

    it('is 404 for one that is unknown, malformed, deleted or of another organization', async () => {
      const elsewhere = await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner');
      const foreign = await storeConversation(app.db, {
        org_id: elsewhere.orgId,
        created_by_user_id: elsewhere.userId,
      });
      const deleted = await store({ deleted_at: new Date() });
      for (const id of [randomUUID(), 'abc', '%00', 'x'.repeat(5_000), foreign.id, deleted.id]) {
        const { status, body } = await read(id);
        expect([status, body.code]).toEqual([404, 'conversation_not_found']);
      }
    });

    it('is for admins and owners', async () => {
      const { id } = await store();
      const member = await makeMember(app.db, admin.orgId);
      const { key } = await makeKey(app.db, member.id);
      expect((await read(id, key)).status).toBe(403);
    });
  });
});
