import { request } from 'node:http';
import { DedicatedPool } from '../../../src/kernel/database/sessions/dedicated-pool';
import type { OrgConversationStats } from '../../../src/conversations/conversations/org-list/stats/org-stats.dto';
import { startTestApp, type TestApp } from '../../support/service/app';
import {
  storeConversation,
  type StoredConversation,
  storeSandbox,
} from '../../support/queue/conversation-rows';
import { eventually } from '../../support/eventually';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { type HttpResponse, call } from '../../support/service/http';

const DAY_MS = 86_400_000;
/** The lines of an export, each by the names of its fields. */
function linesOf(csv: string): Record<string, string>[] {
  const [header = '', ...lines] = csv.trimEnd().split('\r\n');
  const names = header.split(',');
  return lines.map((line) => {
    const fields = [...line.matchAll(/(?:^|,)("(?:[^"]|"")*"|[^,]*)/g)].map(([, field = '']) => field);
    expect(fields).toHaveLength(names.length);
    return Object.fromEntries(names.map((name, index) => [name, fields[index] ?? '']));
  });
}

describe('the statistics and the export of an organization', () => {
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

  const read = <Body>(path: string, key = admin.key): Promise<HttpResponse<Body>> =>
    call(app, 'GET', `/api/organizations/${admin.orgId}/conversations/${path}`, { key });
  const store = (fields: Partial<StoredConversation> = {}): Promise<StoredConversation> =>
    storeConversation(app.db, { org_id: admin.orgId, created_by_user_id: admin.userId, ...fields });
  const ago = (days: number): Date => new Date(Date.now() - days * DAY_MS);

  it.each(['stats', 'export'])('keeps %s for admins and owners', async (path) => {
    const member = await makeCaller(app.db, admin.orgId);
    expect((await read(path, member.key)).status).toBe(403);
    const owner = await makeCaller(app.db, admin.orgId, 'owner');
    expect((await read(path, owner.key)).status).toBe(200);
  });

  describe('GET …/stats', () => {
    it('is all zero for an organization without conversations', async () => {
      const { status, body } = await read<OrgConversationStats>('stats');
      expect(status).toBe(200);
      expect(body).toMatchObject({ total_conversations: 0, sub_conversations: 0, by_model: [] });
      expect(body.usage.accumulated_cost).toBe(0);
    });

    it('counts by status, time and model and adds up what was used, folded or not', async () => {
      const parent = await store({
        llm_model: 'a',
        execution_status: 'idle',
        accumulated_cost: 0.1,
        prompt_tokens: 10,
        created_at: ago(1),
      });
      await store({
        llm_model: 'a',
        execution_status: 'error',
        accumulated_cost: 0.2,
        created_at: ago(20),
        updated_at: ago(20),
      });
      await app.db.query('SELECT conversation_counts_fold(1000), conversation_completed_fold(1000)');
      await store({
        parent_conversation_id: parent.id,
        llm_model: 'b',
        completion_tokens: 5,
        cache_read_tokens: 3,
        created_at: ago(80),
      });
      await store({ created_at: ago(400) });
      await store({ execution_status: 'idle', deleted_at: new Date(), accumulated_cost: 9 });
      const statuses = ['RUNNING', 'RUNNING', 'STARTING', 'PAUSED', 'ERROR', 'MISSING'] as const;
      const boxes = statuses.map((status) =>
        storeSandbox(app.db, { org_id: admin.orgId, created_by_user_id: admin.userId }, { status }),
      );
      const [stopping] = await Promise.all(boxes);
      await app.db.query(`UPDATE sandboxes SET stopping = 'delete' WHERE id = $1`, [stopping]);
      expect((await read<OrgConversationStats>('stats')).body).toEqual({
        total_conversations: 4,
        sub_conversations: 1,
        by_execution_status: { idle: 1, running: 0, paused: 0, finished: 0, error: 1, stuck: 0, none: 2 },
        created_within: { '7d': 1, '30d': 2, '90d': 3 },
        sandboxes: { STARTING: 1, RUNNING: 1, PAUSED: 2, ERROR: 1, MISSING: 1 },
        usage: {
          conversations: 4,
          accumulated_cost: 0.3,
          prompt_tokens: 10,
          completion_tokens: 5,
          total_tokens: 15,
          cache_read_tokens: 3,
          cache_write_tokens: 0,
        },
        removed: {
          conversations: 0,
          accumulated_cost: 0,
          prompt_tokens: 0,
          completion_tokens: 0,
          total_tokens: 0,
          cache_read_tokens: 0,
          cache_write_tokens: 0,
        },
        by_model: [
          expect.objectContaining({ llm_model: 'a', conversations: 2, accumulated_cost: 0.3 }),
          expect.objectContaining({ llm_model: null, conversations: 1 }),
          expect.objectContaining({ llm_model: 'b', conversations: 1, total_tokens: 5 }),
        ],
        active_conversations: 0,
        running_runtimes: 1,
        completed_24h: 0,
        completed_7d: 0,
        completed_30d: 1,
        total_cost: 0.3,
        total_prompt_tokens: 10,
        total_completion_tokens: 5,
        total_tokens: 15,
      });
    });
  });

  describe('GET …/stats, by the names of the public interface,', () => {
    it.each(['finished', 'error', 'stuck'] as const)('counts what is %s as completed', async (status) => {
      for (const days of [0.5, 2, 10, 40])
        await store({ execution_status: status, created_at: ago(50), updated_at: ago(days) });
      await store({ execution_status: status, deleted_at: new Date() });
      await store({ execution_status: 'running' });
      await store({ execution_status: 'paused' });
      expect((await read<OrgConversationStats>('stats')).body).toMatchObject({
        active_conversations: 1,
        completed_24h: 1,
        completed_7d: 2,
        completed_30d: 3,
      });
    });
  });

  describe('GET …/export', () => {
    it('answers a table with its header alone when there is nothing', async () => {
      const { status, headers, body } = await read<string>('export');
      expect(status).toBe(200);
      expect(headers['content-type']).toMatch(/^text\/csv; charset=utf-8/);
      expect(headers['content-disposition']).toBe('attachment; filename="conversations.csv"');
      const { id } = await store();
      const conversation = await read<object>(id);
      expect(body).toBe(`${Object.keys(conversation.body).join(',')}\r\n`);
    });

    it('writes a line for each conversation, oldest first, quoted and safe for spreadsheets', async () => {
      const second = await store({ title: '=HYPERLINK("http://a")\nx', created_at: ago(1) });
      const first = await store({
        title: 'one, "two"',
        tags: { team: 'shop' },
        pr_number: [7],
        accumulated_cost: 0.5,
        created_at: ago(2),
      });
      const common = {
        user_id: admin.userId,
        user_email: admin.email,
        agent_kind: 'openhands',
        sandbox_status: 'STARTING',
        sandbox_id: '',
        llm_model: '',
        pr_merged: '',
        total_tokens: '0',
      };
      expect(linesOf((await read<string>('export')).body)).toMatchObject([
        {
          ...common,
          id: first.id,
          created_at: first.created_at.toISOString(),
          title: '"one, ""two"""',
          tags: '"{""team"":""shop""}"',
          pr_number: '[7]',
          accumulated_cost: '0.5',
        },
        {
          ...common,
          id: second.id,
          created_at: second.created_at.toISOString(),
          title: `"'=HYPERLINK(""http://a"")\nx"`,
          tags: '{}',
          pr_number: '[]',
          accumulated_cost: '0',
        },
      ]);
    });

    it('takes the filters of the list, sandbox_status exactly', async () => {
      const sandbox_id = await storeSandbox(
        app.db,
        { org_id: admin.orgId, created_by_user_id: admin.userId },
        { status: 'PAUSED' },
      );
      const parent = await store({ title: 'login', execution_status: 'idle', sandbox_id });
      await store({ title: 'old', created_at: ago(10) });
      await store({ title: 'child', parent_conversation_id: parent.id });
      const titles = async (query: string): Promise<(string | undefined)[]> =>
        (await read<string>(`export?${query}`)).body
          .split('\r\n')
          .slice(1, -1)
          .map((line) => line.split(',')[2]);
      expect(await titles('')).toEqual(['old', 'login']);
      expect(await titles('search=LOGIN')).toEqual(['login']);
      expect(await titles('execution_status=idle,error')).toEqual(['login']);
      expect(await titles('sandbox_status=PAUSED')).toEqual(['login']);
      expect(await titles('time_window=7d')).toEqual(['login']);
      expect((await titles('include_sub_conversations=true')).toSorted()).toEqual(['child', 'login', 'old']);
      expect((await read('export?time_window=1d')).status).toBe(422);
    });

    it.each([3_000, 3_500])('writes any number of rows once each, whatever their ties: %i', async (rows) => {
      await app.db.query(
        `INSERT INTO conversations (id, org_id, created_by_user_id, start_state, created_at)
         SELECT gen_random_uuid(), $1, $2, 'ready', date_trunc('day', now()) FROM generate_series(1, $3)`,
        [admin.orgId, admin.userId, rows],
      );
      const ids = (await read<string>('export')).body
        .split('\r\n')
        .slice(1, -1)
        .map((line) => line.split(',')[0]);
      expect(ids).toHaveLength(rows);
      expect(new Set(ids).size).toBe(rows);
    });

    it('ends its query when the caller disconnects', async () => {
      const lock = app.db.createQueryRunner();
      await lock.startTransaction();
      await lock.query('LOCK TABLE conversations IN ACCESS EXCLUSIVE MODE');
      const waiting = async (): Promise<number> =>
        (
          await lock.manager.query<unknown[]>(
            `SELECT 1 FROM pg_stat_activity
              WHERE datname = current_database() AND application_name = 'org-conversation-service list'
                AND wait_event_type = 'Lock'`,
          )
        ).length;
      const reading = jest.spyOn(DedicatedPool.prototype, 'cancellableRows');
      try {
        const sent = request(`${app.url}/api/organizations/${admin.orgId}/conversations/export`, {
          headers: { 'X-Access-Token': admin.key },
        });
        sent.on('error', () => undefined);
        sent.end();
        await eventually(async () => expect(await waiting()).toBe(1));
        sent.destroy();
        await eventually(async () => expect(await waiting()).toBe(0));
        // Not by its time limit, which ends it soon after.
        await expect(reading.mock.results.at(-1)?.value).rejects.toThrow('due to user request');
      } finally {
        reading.mockRestore();
        await lock.rollbackTransaction();
        await lock.release();
      }
    });

    it('answers 500 when nothing can be read', async () => {
      const broken = await startTestApp();
      try {
        const owner = await makeCaller(broken.db, (await makeOrg(broken.db)).id, 'owner');
        await broken.db.query('ALTER TABLE conversations RENAME TO elsewhere');
        for (const path of ['stats', 'export']) {
          if (path === 'stats') await broken.db.query('ALTER TABLE conversation_usage RENAME TO nowhere');
          const response = await call(
            broken,
            'GET',
            `/api/organizations/${owner.orgId}/conversations/${path}`,
            {
              key: owner.key,
            },
          );
          expect([response.status, response.body]).toEqual([
            500,
            expect.objectContaining({ code: 'conversations_unavailable' }),
          ]);
        }
      } finally {
        await broken.close();
      }
    });
  });
});
