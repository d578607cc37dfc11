import { randomUUID } from 'node:crypto';
import type { OrgOverview } from '../../../src/conversations/conversations/org-list/overview/overview.dto';
import {
  storeConversation,
  type StoredConversation,
  storeSandbox,
} from '../../support/queue/conversation-rows';
import { saying } from '../../support/queue/queued-messages';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { call, type ErrorBody, type HttpResponse } from '../../support/service/http';

const HOUR_MS = 3_600_000;
const A_STRING: unknown = expect.any(String);

describe('GET /api/organizations/{org_id}/overview', () => {
  let app: TestApp;
  let admin: TestCaller;
  beforeAll(async () => (app = await startTestApp({ env: { APP_ROLE: 'api' } })));
  afterAll(() => app.close());
  beforeEach(async () => (admin = await makeCaller(app.db, (await makeOrg(app.db)).id, 'admin')));

  const read = (key = admin.key): Promise<HttpResponse<OrgOverview & ErrorBody>> =>
    call(app, 'GET', `/api/organizations/${admin.orgId}/overview`, { key });
  const overview = async (): Promise<OrgOverview> => {
    const { status, body } = await read();
    expect({ status, body }).toMatchObject({ status: 200 });
    return body;
  };
  const store = (fields: Partial<StoredConversation> = {}, of = admin): Promise<StoredConversation> =>
    storeConversation(app.db, { org_id: of.orgId, created_by_user_id: of.userId, ...fields });
  const ago = (hours: number): Date => new Date(Date.now() - hours * HOUR_MS);

  it('is for admins and owners', async () => {
    const member = await makeCaller(app.db, admin.orgId);
    expect((await read(member.key)).body.code).toBe('permission_denied');
  });

  it('is empty for an organization in which nothing happens', async () => {
    expect(await overview()).toEqual({
      sandboxes: { STARTING: 0, RUNNING: 0, PAUSED: 0, ERROR: 0, MISSING: 0 },
      queued_messages: { waiting: 0, oldest_at: null },
      webhook_deliveries: { waiting: 0, failed_24h: 0 },
      failures: [],
    });
  });

  it('counts sandboxes, and messages that wait, those of conversations to come too', async () => {
    const stranger = await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner');
    for (const status of ['PAUSED', 'RUNNING', 'RUNNING'])
      await storeSandbox(app.db, { org_id: admin.orgId, created_by_user_id: admin.userId }, { status });
    const queue = (id: string, by: TestCaller): Promise<HttpResponse<{ id: string }>> =>
      call(app, 'POST', `/api/v1/conversations/${id}/pending-messages`, { key: by.key, body: saying('x') });
    const { id } = await store();
    const first = await queue(id, admin);
    await app.db.query('UPDATE pending_messages SET created_at = $2 WHERE id = $1', [first.body.id, ago(5)]);
    await queue(randomUUID(), admin);
    await queue((await store({}, stranger)).id, stranger);
    const done = await queue(id, admin);
    await app.db.query(`UPDATE pending_messages SET state = 'failed' WHERE id = $1`, [done.body.id]);
    const { sandboxes, queued_messages } = await overview();
    expect(sandboxes).toMatchObject({ RUNNING: 2, PAUSED: 1 });
    expect(queued_messages.waiting).toBe(2);
    expect(Math.abs(Date.parse(queued_messages.oldest_at!) - ago(5).getTime())).toBeLessThan(60_000);
  });

  it('counts callbacks that wait, and those that failed in the last 24 hours', async () => {
    const webhook = async (of: TestCaller): Promise<string> => {
      const body = { url: 'https://hooks.example/x', kinds: ['*'] };
      const path = `/api/organizations/${of.orgId}/webhooks`;
      return (await call<{ id: string }>(app, 'POST', path, { key: of.key, body })).body.id;
    };
    const deliver = (id: string, state: string, completedAt: Date | null): Promise<unknown> =>
      app.db.query(
        `INSERT INTO webhook_deliveries (id, webhook_id, lane, type, data, occurred_at, expires_at, state, completed_at)
         VALUES (gen_random_uuid(), $1, gen_random_uuid(), 'conversation.deleted', '{}', now(), now(), $2, $3)`,
        [id, state, completedAt],
      );
    const own = await webhook(admin);
    const foreign = await webhook(await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner'));
    const before = (await overview()).webhook_deliveries.waiting;
    for (const id of [own, own, foreign]) await deliver(id, 'pending', null);
    for (const hours of [1, 23, 25]) await deliver(own, 'failed', ago(hours));
    await deliver(foreign, 'failed', ago(1));
    await deliver(own, 'delivered', ago(1));
    expect((await overview()).webhook_deliveries).toEqual({ waiting: before + 2, failed_24h: 2 });
  });

  it('lists what failed in the last 24 hours, the latest first, with what failed', async () => {
    const started = await store({ start_state: 'failed', title: 'Failed start', updated_at: ago(2) });
    await app.db.query(
      `INSERT INTO start_tasks (id, org_id, created_by_user_id, conversation_id, sandbox_id, status, detail, request, deadline_at)
       VALUES (gen_random_uuid(), $1, $2, $3, gen_random_uuid(), 'ERROR', 'The repository is not there.', '{}', now())`,
      [admin.orgId, admin.userId, started.id],
    );
    const ran = await store({ execution_status: 'error', title: 'Ran', updated_at: ago(1) });
    const detail = 'The model refused the key.';
    const event = { id: 'e1', kind: 'ConversationErrorEvent', code: 'LLMAuthenticationError', detail };
    await app.db.query('INSERT INTO event_logs (conversation_id) VALUES ($1)', [ran.id]);
    await app.db.query(
      `INSERT INTO events (conversation_id, id, seq, kind, occurred_at, payload)
       VALUES ($1, 'e1', 1, $2, now(), $3), ($1, 'e2', 2, 'MessageEvent', now(), '{}')`,
      [ran.id, event.kind, JSON.stringify(event)],
    );
    const stuck = await store({ execution_status: 'stuck', updated_at: ago(3) });
    await store({ execution_status: 'error', updated_at: ago(25) });
    await store({ execution_status: 'error', deleted_at: new Date() });
    await store({ execution_status: 'finished' });
    await store({ execution_status: 'error' }, await makeCaller(app.db, (await makeOrg(app.db)).id));
    const creator = { user_id: admin.userId, user_email: admin.email, updated_at: A_STRING };
    expect((await overview()).failures).toEqual([
      {
        conversation_id: ran.id,
        title: 'Ran',
        failed: 'run',
        ...creator,
        code: 'LLMAuthenticationError',
        detail,
      },
      {
        conversation_id: started.id,
        title: 'Failed start',
        failed: 'start',
        ...creator,
        code: null,
        detail: 'The repository is not there.',
      },
      { conversation_id: stuck.id, title: null, failed: 'run', ...creator, code: null, detail: null },
    ]);
  });

  it('lists 20 of them', async () => {
    const all = [];
    for (let n = 0; n < 22; n++)
      all.push(await store({ execution_status: 'error', updated_at: ago(n / 2 + 0.1) }));
    expect((await overview()).failures.map(({ conversation_id }) => conversation_id)).toEqual(
      all.slice(0, 20).map(({ id }) => id),
    );
  });
});
