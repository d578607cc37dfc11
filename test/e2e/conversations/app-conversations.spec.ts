import { randomUUID } from 'node:crypto';
import { callTo } from '../../support/agent-server/agent-server-calls';
import { DoubledService, type DoubledConversation } from '../../support/agent-server/doubled-service';
import {
  type ConversationRecord,
  type ConversationService,
} from '../../support/service/conversation-service';
import { eventually } from '../../support/eventually';
import { makeCaller, makeKey, makeOrg, type TestCaller } from '../../support/service/factories';
import type { HttpResponse, CallOptions, ErrorBody } from '../../support/service/http';

interface Page {
  readonly items: ConversationRecord[];
  readonly next_page_id: string | null;
}

const PATH = '/api/v1/app-conversations';

describe('the conversation record', () => {
  let doubled: DoubledService;
  let service: ConversationService;

  beforeAll(async () => {
    doubled = await DoubledService.start();
    ({ service } = doubled);
  });

  afterAll(() => doubled.close());

  function call<Body = unknown>(
    method: string,
    rest: string,
    options: CallOptions = {},
  ): Promise<HttpResponse<Body>> {
    return service.call<Body>(method, PATH + rest, options);
  }

  async function made(fields: DoubledConversation = {}): Promise<string> {
    return (await doubled.conversation(fields)).id;
  }

  /** A member of an organization of their own. */
  async function newcomer(): Promise<TestCaller> {
    return makeCaller(service.app.db, (await makeOrg(service.app.db)).id);
  }

  describe('GET /{conversation_id}', () => {
    it('has every field', async () => {
      const profile = randomUUID();
      const { id, sandboxId } = await doubled.conversation({
        title: 'A title',
        llm_model: 'a-model',
        execution_status: 'running',
        selected_repository: 'acme/shop',
        selected_branch: 'main',
        git_provider: 'gitlab',
        trigger: 'slack',
        pr_number: [1, 2],
        pr_merged: true,
        tags: { team: 'shop', deep: [{ a: null }] },
        accumulated_cost: 0.25,
        prompt_tokens: 1,
        completion_tokens: 2,
        cache_read_tokens: 3,
        cache_write_tokens: 4,
        reasoning_tokens: 5,
        context_window: 200_000,
        per_turn_tokens: 6,
        max_budget_per_task: 7.5,
        launched_profile_id: profile,
        launched_profile_revision: 3,
        created_at: new Date('2026-01-02T03:04:05.678Z'),
        updated_at: new Date('2026-01-03T03:04:05.678Z'),
      });
      const child = await made({ parent_conversation_id: id });
      await made({ parent_conversation_id: id, deleted_at: new Date() });
      expect((await call('GET', `/${id}`)).body).toEqual({
        id,
        created_by_user_id: service.owner.userId,
        sandbox_id: sandboxId,
        selected_repository: 'acme/shop',
        selected_branch: 'main',
        git_provider: 'gitlab',
        title: 'A title',
        trigger: 'slack',
        pr_number: [1, 2],
        pr_merged: true,
        llm_model: 'a-model',
        agent_kind: 'openhands',
        metrics: {
          model_name: 'a-model',
          accumulated_cost: 0.25,
          max_budget_per_task: 7.5,
          accumulated_token_usage: {
            model: 'a-model',
            prompt_tokens: 1,
            completion_tokens: 2,
            cache_read_tokens: 3,
            cache_write_tokens: 4,
            reasoning_tokens: 5,
            context_window: 200_000,
            per_turn_token: 6,
            response_id: '',
          },
          prompt_tokens: 1,
          completion_tokens: 2,
          cache_read_tokens: 3,
          cache_write_tokens: 4,
        },
        public: false,
        acp_server: null,
        launched_agent_profile: { agent_profile_id: profile, revision: 3 },
        parent_conversation_id: null,
        sub_conversation_ids: [child],
        tags: { team: 'shop', deep: [{ a: null }] },
        created_at: '2026-01-02T03:04:05.678Z',
        updated_at: '2026-01-03T03:04:05.678Z',
        sandbox_status: 'RUNNING',
        execution_status: 'running',
        conversation_url: `${doubled.double.url}/api/conversations/${id}`,
        // The key of a shared server is never handed out.
        session_api_key: null,
        workspace: null,
      });
      expect((await call('GET', `/${child}`)).body).toMatchObject({ parent_conversation_id: id });
    });

    it.each([
      ['RUNNING', 'ready', 'RUNNING'],
      ['PAUSED', 'ready', 'PAUSED'],
      ['ERROR', 'ready', 'ERROR'],
      ['MISSING', 'ready', 'MISSING'],
      ['RUNNING', 'starting', 'STARTING'],
      ['PAUSED', 'starting', 'STARTING'],
      ['ERROR', 'starting', 'ERROR'],
    ] as const)('in a sandbox that is %s and %s shows %s', async (status, start_state, shown) => {
      const record = await service.record(await made({ start_state, sandbox: { status } }));
      expect(record.sandbox_status).toBe(shown);
      expect(record.conversation_url !== null).toBe(shown === 'RUNNING');
    });

    it('shows a sandbox that is being stopped as PAUSED, and no way to it', async () => {
      const record = await service.record(await made({ sandbox: { stopping: 'pause' } }));
      expect(record).toMatchObject({ sandbox_status: 'PAUSED', conversation_url: null });
    });

    it('is 404 for unknown and deleted ones, 422 for what is no UUID', async () => {
      const deleted = await made({ deleted_at: new Date() });
      expect((await call<ErrorBody>('GET', `/${deleted}`)).body.code).toBe('conversation_not_found');
      expect((await call('GET', `/${randomUUID()}`)).status).toBe(404);
      expect((await call('GET', '/nonsense')).status).toBe(422);
    });
  });

  describe('may be', () => {
    let creator: TestCaller;
    let id: string;

    beforeAll(async () => {
      creator = await newcomer();
      id = await made({ owner: creator });
    });

    it('read by its creator with the way to the agent server, by admins and owners without', async () => {
      const { db } = service.app;
      const mine = await call<ConversationRecord>('GET', `/${id}`, { key: creator.key });
      expect(mine.body.conversation_url).not.toBeNull();
      for (const role of ['admin', 'owner'] as const) {
        const reader = await makeCaller(db, creator.orgId, role);
        const { status, body } = await call<ConversationRecord>('GET', `/${id}`, { key: reader.key });
        expect(status).toBe(200);
        expect(body).toMatchObject({
          sandbox_status: 'RUNNING',
          conversation_url: null,
          session_api_key: null,
        });
      }
    });

    it('not be known to other members, strangers, and those who left', async () => {
      const { db } = service.app;
      const member = await makeCaller(db, creator.orgId);
      const left = await makeCaller(db, creator.orgId);
      const theirs = await made({ owner: left });
      await db.query('DELETE FROM org_members WHERE user_id = $1', [left.userId]);
      for (const [conversation, key] of [
        [id, member.key],
        [id, service.owner.key],
        [theirs, left.key],
      ]) {
        expect((await call('GET', `/${conversation}`, { key: key ?? '' })).status).toBe(404);
        expect((await call('GET', `?ids=${conversation}`, { key: key ?? '' })).body).toEqual([null]);
      }
    });

    it('reached in its own organization only, whatever is bound or selected', async () => {
      const { db } = service.app;
      const other = await makeOrg(db);
      await db.query(`INSERT INTO org_members (org_id, user_id, role) VALUES ($1, $2, 'owner')`, [
        other.id,
        creator.userId,
      ]);
      const here = await makeKey(db, creator.userId, { orgId: creator.orgId });
      const there = await makeKey(db, creator.userId, { orgId: other.id });
      expect((await call('GET', `/${id}`, { key: here.key })).status).toBe(200);
      expect((await call('GET', `/${id}`, { key: there.key })).status).toBe(404);
      const selected = { key: creator.key, headers: { 'X-Org-Id': other.id } };
      expect((await call('GET', `/${id}`, selected)).status).toBe(404);
      expect((await call('GET', `?ids=${id}`, selected)).body).toEqual([null]);
    });

    it('changed and deleted by its creator only', async () => {
      const admin = await makeCaller(service.app.db, creator.orgId, 'admin');
      expect((await call('PATCH', `/${id}`, { key: admin.key, body: { title: 'Mine' } })).status).toBe(404);
      expect((await call('DELETE', `/${id}`, { key: admin.key })).status).toBe(404);
      expect((await call('GET', `/${id}`, { key: creator.key })).body).toMatchObject({ title: null });
    });
  });

  it('GET ?ids= answers in the order of the ids, null for what is not there', async () => {
    const [one, two] = [await made(), await made()];
    const ids = [two.toUpperCase(), randomUUID(), 'nonsense', one.replaceAll('-', ''), two];
    const { body } = await call<(ConversationRecord | null)[]>('GET', `?ids=${ids.join(',')}`);
    expect(body.map((record) => record?.id ?? null)).toEqual([two, null, null, one, two]);
    for (const [query, expected] of [
      ['?ids=x', [null]],
      ['', []],
    ] as const) {
      const answer = await call('GET', query);
      expect([answer.status, answer.body]).toEqual([200, expected]);
    }
  });

  describe('GET /search and /count', () => {
    let caller: TestCaller;
    let sandboxId: string;
    const titles = ['äpfel', 'Zebra', 'ÄRGER', 'apple', null, 'İstanbul', 'zebra', '100%_off'];

    beforeAll(async () => {
      caller = await newcomer();
      for (const [index, title] of titles.entries()) {
        const at = new Date(Date.UTC(2026, 0, 1 + (index >> 1)));
        const conversation = await doubled.conversation({
          owner: caller,
          title,
          created_at: at,
          updated_at: new Date(Date.UTC(2026, 1, 20 - index)),
        });
        if (index === 0) {
          ({ sandboxId } = conversation);
          await made({
            owner: caller,
            parent_conversation_id: conversation.id,
            title: 'sub',
            created_at: at,
          });
        }
      }
      await made({ owner: caller, title: 'deleted', deleted_at: new Date() });
      await made({ owner: await makeCaller(service.app.db, caller.orgId, 'owner'), title: 'not mine' });
    });

    async function search(query: string): Promise<Page> {
      const { status, body } = await call<Page>('GET', `/search?${query}`, { key: caller.key });
      expect(status).toBe(200);
      return body;
    }

    async function found(query: string): Promise<(string | null)[]> {
      const { items } = await search(query);
      const count = await call('GET', `/count?${query}`, { key: caller.key });
      expect(count).toMatchObject({ status: 200, body: items.length });
      return items.map(({ title }) => title).sort();
    }

    it("find the caller's own in the effective organization, newest first, without subs and deleted", async () => {
      const { items, next_page_id } = await search('');
      expect(items.map(({ title }) => title).sort()).toEqual([...titles].sort());
      expect(next_page_id).toBeNull();
      expect((await search('include_sub_conversations=true')).items).toHaveLength(titles.length + 1);
    });

    it.each(['CREATED_AT', 'CREATED_AT_DESC', 'UPDATED_AT', 'UPDATED_AT_DESC', 'TITLE', 'TITLE_DESC'])(
      'walk the pages in the order %s, none twice and none left out',
      async (order) => {
        const whole = (await search(`sort_order=${order}`)).items.map(({ id }) => id);
        const walked: string[] = [];
        let page = await search(`sort_order=${order}&limit=1`);
        for (;;) {
          walked.push(...page.items.map(({ id }) => id));
          if (page.next_page_id === null || walked.length > 20) break;
          page = await search(`sort_order=${order}&limit=1&page_id=${page.next_page_id}`);
        }
        expect(walked).toEqual(whole);
        const reverse = order.endsWith('_DESC') ? order.slice(0, -5) : `${order}_DESC`;
        expect((await search(`sort_order=${reverse}`)).items.map(({ id }) => id)).toEqual(whole.reverse());
      },
    );

    it('filter by title, times and sandbox', async () => {
      expect(await found('title__contains=ZEBRA')).toEqual(['Zebra', 'zebra']);
      expect(await found('title__contains=%25_')).toEqual(['100%_off']);
      expect(await found('title__contains=%00')).toEqual([]);
      expect(await found('created_at__gte=2026-01-03&created_at__lt=2026-01-04')).toEqual(
        [null, 'İstanbul'].sort(),
      );
      expect(await found('updated_at__gte=2026-02-20T00:00:00Z')).toEqual(['äpfel']);
      expect(await found('updated_at__lt=2026-02-14T00:00:00Z')).toEqual(['100%_off']);
      expect(await found(`sandbox_id__eq=${sandboxId}`)).toEqual(['äpfel']);
      expect(await found('sandbox_id__eq=nonsense')).toEqual([]);
    });

    it('count a limit above 100 as 100, and refuse one below 1', async () => {
      expect((await search('limit=1000')).items).toHaveLength(titles.length);
      expect((await call('GET', '/search?limit=0')).status).toBe(422);
      expect((await call('GET', '/search?sort_order=SIDEWAYS')).status).toBe(422);
    });
  });

  describe('PATCH', () => {
    it('is 400 for what it cannot do, names it, and writes nothing', async () => {
      const id = await made({ title: 'Before', llm_model: 'a-model' });
      for (const [change, code] of [
        [{ public: true }, 'sharing_not_supported'],
        [{ system_message_suffix: 'Be short.' }, 'only_at_start'],
        [{ agent_profile_id: randomUUID() }, 'only_at_start'],
        [{ llm_model: 'another-model' }, 'only_at_start'],
        [{ llm_model: null }, 'only_at_start'],
        [{ trigger: 'slack' }, 'only_at_start'],
        [{ processors: [{ kind: 'LoggingCallbackProcessor' }] }, 'only_at_start'],
        [{ suggested_task: { task_type: 'OPEN_ISSUE' } }, 'only_at_start'],
        [{ conversation_id: randomUUID() }, 'only_at_start'],
        [{ sandbox_id: randomUUID() }, 'only_at_start'],
        [{ parent_conversation_id: randomUUID() }, 'only_at_start'],
        [{ initial_message: { content: [] } }, 'only_at_start'],
        [{ dependency_repos: ['acme/library'] }, 'only_at_start'],
        [{ agent_type: 'plan' }, 'only_at_start'],
        [{ plugins: [{ source: 'github:acme/plugins' }] }, 'only_at_start'],
        [{ secrets: { TOKEN: 'x' } }, 'only_at_start'],
      ] as const) {
        const { status, body } = await call<ErrorBody>('PATCH', `/${id}`, {
          body: { title: 'After', ...change },
        });
        expect([change, status, body.code]).toEqual([change, 400, code]);
        expect(body.detail).toContain(Object.keys(change)[0]);
      }
      expect((await service.record(id)).title).toBe('Before');
    });

    it('takes a record back as it was read', async () => {
      const id = await made({ title: 'Before', llm_model: 'a-model', trigger: 'slack', tags: { a: 1 } });
      const { body: record } = await call<Record<string, unknown>>('GET', `/${id}`);
      const { git_provider, ...rest } = record;
      expect(git_provider).toBeNull();
      const unset = { processors: [], secrets: {}, public: false };
      const written = await call('PATCH', `/${id}`, { body: { ...rest, ...unset } });
      expect([written.status, written.body]).toEqual([200, record]);
    });

    it('writes what is present, and only that', async () => {
      const id = await made({ title: 'Before', tags: { old: 1 }, pr_number: [1] });
      const { body } = await call<Record<string, unknown>>('PATCH', `/${id}`, { body: { title: 'After' } });
      expect(body).toMatchObject({ title: 'After', tags: { old: 1 }, pr_number: [1] });
      const all = {
        title: null,
        tags: { new: [1, { a: true }] },
        selected_repository: 'acme/shop',
        selected_branch: 'main',
        git_provider: 'forgejo',
        pr_number: [9007199254740991, 7],
        pr_merged: true,
      };
      expect((await call('PATCH', `/${id}`, { body: all })).body).toMatchObject(all);
      expect((await call('PATCH', `/${id}`, { body: {} })).body).toMatchObject(all);
      expect(await service.record(id)).toMatchObject(all);
    });

    it('leaves updated_at alone when nothing changes', async () => {
      const fields = { title: 'Same', tags: { b: { c: 1 }, a: [] }, pr_number: [1, 2], pr_merged: true };
      const updatedAt = '2026-01-03T03:04:05.678Z';
      const id = await made({ ...fields, updated_at: new Date(updatedAt) });
      for (const body of [fields, { tags: { a: [], b: { c: 1 } } }, {}])
        expect((await call('PATCH', `/${id}`, { body })).body).toMatchObject({
          ...fields,
          updated_at: updatedAt,
        });
      const changed = await call<{ updated_at: string }>('PATCH', `/${id}`, { body: { pr_number: [2, 1] } });
      expect(changed.body.updated_at > updatedAt).toBe(true);
    });

    it('is 400 for numbers beyond what the database holds, and writes nothing', async () => {
      const id = await made({ title: 'Before' });
      for (const number of ['1234567890123456789012345', '-1234567890123456789012345']) {
        const response = await call<ErrorBody>('PATCH', `/${id}`, {
          raw: `{"title":"After","pr_number":[${number}]}`,
        });
        expect([response.status, response.body.code]).toEqual([400, 'value_out_of_range']);
      }
      expect((await service.record(id)).title).toBe('Before');
    });

    it('keeps NUL and lone surrogates as U+FFFD', async () => {
      const id = await made();
      const { status, body } = await call('PATCH', `/${id}`, {
        raw: '{"title":"a\\u0000\\ud800b","selected_branch":"\\u0000","tags":{"k\\u0000":["\\udc00"]}}',
      });
      expect(status).toBe(200);
      expect(body).toMatchObject({
        title: 'a\uFFFD\uFFFDb',
        selected_branch: '\uFFFD',
        tags: { 'k\uFFFD': ['\uFFFD'] },
      });
    });

    it('is 422 for wrong types', async () => {
      const id = await made();
      for (const body of [
        { title: 7 },
        { tags: null },
        { pr_number: null },
        { git_provider: 'svn' },
        { pr_merged: 'maybe' },
      ])
        expect((await call('PATCH', `/${id}`, { body })).status).toBe(422);
    });

    async function reported(id: string, title: string): Promise<void> {
      expect(
        (
          await service.call('POST', '/api/v1/webhooks/conversations', {
            headers: { 'X-Session-API-Key': doubled.double.target.apiKey },
            body: { id, title },
          })
        ).status,
      ).toBe(200);
    }

    it('tells the agent server the title, and its old one does not come back', async () => {
      const id = await made();
      await reported(id, 'Made up');
      expect((await service.record(id)).title).toBe('Made up');
      const title = `Given ${'x'.repeat(300)}`;
      await call('PATCH', `/${id}`, { body: { title } });
      await reported(id, 'Made up');
      expect((await service.record(id)).title).toBe(title);
      await eventually(() => {
        const patches = doubled.double.arrived(callTo('PATCH', `/api/conversations/${id}`));
        // More than once where the job's lease lapses on a busy machine.
        expect(new Set(patches.map(({ body }) => body))).toEqual(
          new Set([JSON.stringify({ title: title.slice(0, 200) })]),
        );
      });
      await reported(id, title.slice(0, 200));
      expect((await service.record(id)).title).toBe(title);
      await reported(id, 'Renamed there');
      expect((await service.record(id)).title).toBe('Renamed there');
    });
  });

  describe('DELETE', () => {
    async function desiredState(sandboxId: string): Promise<string> {
      const [row] = await service.app.db.query<{ status: string; stopping: string | null }[]>(
        'SELECT status, stopping FROM sandboxes WHERE id = $1',
        [sandboxId],
      );
      return row?.stopping ?? row?.status ?? '';
    }

    async function ownsSandbox(id: string): Promise<void> {
      await service.app.db.query('UPDATE conversations SET own_sandbox = true WHERE id = $1', [id]);
    }

    function goes(sandboxId: string): Promise<void> {
      return eventually(async () => expect(['delete', 'MISSING']).toContain(await desiredState(sandboxId)));
    }

    it('removes it with those that belong to it, once', async () => {
      const id = await made();
      const child = await made({ parent_conversation_id: id });
      const grandchild = await made({ parent_conversation_id: child });
      expect(await call('DELETE', `/${id}`)).toMatchObject({ status: 200, body: { success: true } });
      for (const gone of [id, child, grandchild]) expect((await call('GET', `/${gone}`)).status).toBe(404);
      expect((await call('DELETE', `/${id}`)).status).toBe(404);
    });

    it('removes a sub-conversation alone', async () => {
      const id = await made();
      const child = await made({ parent_conversation_id: id });
      await call('DELETE', `/${child}`);
      expect((await service.record(id)).sub_conversation_ids).toEqual([]);
    });

    it('takes the sandbox that was made for it along', async () => {
      const { id, sandboxId } = await doubled.conversation();
      await ownsSandbox(id);
      await call('DELETE', `/${id}`);
      await goes(sandboxId);
    });

    it('leaves a sandbox that was given, and removes the conversation from it', async () => {
      const { id, sandboxId } = await doubled.conversation();
      await call('DELETE', `/${id}`);
      await eventually(() => expect(() => doubled.double.conversation(id)).toThrow());
      expect(await desiredState(sandboxId)).toBe('RUNNING');
    });

    it('leaves a sandbox to the others in it, and takes it along with the last of them', async () => {
      const { id, sandboxId } = await doubled.conversation();
      await ownsSandbox(id);
      const guest = await made({ sandbox_id: sandboxId });
      await call('DELETE', `/${id}`);
      expect(await desiredState(sandboxId)).toBe('RUNNING');
      await call('DELETE', `/${guest}`);
      await goes(sandboxId);
    });
  });
});
