import { callTo } from '../support/agent-server/agent-server-calls';
import { DoubledService } from '../support/agent-server/doubled-service';
import { eventually } from '../support/eventually';
import { ConversationService, type ConversationRecord } from '../support/service/conversation-service';
import { makeCaller, makeKey, makeOrg } from '../support/service/factories';
import { type HttpResponse, call, type ErrorBody } from '../support/service/http';

const PATH = '/api/cloud-proxy';

describe('POST /api/cloud-proxy', () => {
  let service: ConversationService;
  let conversation: ConversationRecord;
  let host: string;
  let sessionKey: string;
  beforeAll(async () => {
    service = await ConversationService.start();
    conversation = await service.record(await service.ready());
    [host = ''] = (conversation.conversation_url ?? '').split('/api/conversations');
    sessionKey = conversation.session_api_key ?? '';
  });
  afterAll(() => service.close());

  interface Relayed {
    readonly method?: string;
    readonly path?: string;
    readonly host?: string;
    readonly headers?: Record<string, string>;
    readonly body?: unknown;
  }
  const relay = (asked: Relayed, key = service.owner.key): Promise<HttpResponse<ErrorBody>> =>
    call<ErrorBody>(service.app, 'POST', PATH, {
      key,
      body: {
        host,
        method: 'GET',
        path: `/api/conversations/${conversation.id}/events/count`,
        headers: { 'X-Session-API-Key': sessionKey, 'X-Org-Id': service.owner.orgId },
        ...asked,
      },
    });

  it('answers what the agent server answers, with its status', async () => {
    const count = await relay({});
    expect([count.status, typeof count.body]).toEqual([200, 'number']);
    expect(count.headers['content-type']).toContain('application/json');
    const sent = await relay({
      method: 'POST',
      path: `/api/conversations/${conversation.id}/events`,
      headers: { 'x-session-api-key': sessionKey },
      body: { role: 'user', content: [{ type: 'text', text: 'relayed' }], run: false },
    });
    expect(sent).toMatchObject({ status: 200, body: { success: true } });
    await eventually(
      async () => expect(await service.texts(conversation.id, 'user', 1)).toEqual(['relayed']),
      30_000,
    );
    const unknown = await relay({
      path: '/api/conversations/0af30000-0000-4000-8000-000000000000/events/count',
    });
    expect(unknown.status).toBe(404);
    expect(unknown.body).not.toHaveProperty('code');
    expect((await relay({ path: '/api/git/commits?path=/a&limit=50' })).status).toBe(404);
  });

  it('answers bytes as they are, and never as a page', async () => {
    const bytes = Buffer.from([...Buffer.from('<script>'), 0, 0xff, 0xfe, 0x80]);
    const form = new FormData();
    form.append('file', new Blob([bytes]), 'file');
    const workingDir = await service.app.db.query<{ working_dir: string }[]>(
      'SELECT working_dir FROM sandboxes WHERE id = $1',
      [conversation.sandbox_id],
    );
    const path = `${workingDir[0]?.working_dir}/page.html`;
    const uploaded = await fetch(`${host}/api/file/upload?path=${encodeURIComponent(path)}`, {
      method: 'POST',
      headers: { 'X-Session-API-Key': sessionKey },
      body: form,
    });
    expect(uploaded.status).toBe(200);
    const response = await fetch(`${service.app.url}${PATH}`, {
      method: 'POST',
      headers: { 'X-Access-Token': service.owner.key, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        host,
        method: 'GET',
        path: `/api/file/download?path=${encodeURIComponent(path)}`,
        headers: { 'X-Session-API-Key': sessionKey },
      }),
    });
    expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('content-security-policy')).toBe('sandbox');
  });

  it.each([
    ['another method', { method: 'POST' }],
    ['another path', { path: '/api/settings' }],
    ['a path that climbs', { path: '/api/git/commits/../../settings' }],
    ['an address for a path', { path: 'http://169.254.169.254/api/git/commits' }],
  ])('refuses %s', async (_, asked) => {
    expect(await relay(asked)).toMatchObject({ status: 403, body: { code: 'relay_call_refused' } });
  });

  it.each([
    ['another host', { host: 'http://169.254.169.254' }],
    ['another port', { host: 'http://localhost:1' }],
    ['an unknown key', { headers: { 'X-Session-API-Key': 'unknown' } }],
    ['no key', { headers: {} }],
  ])('refuses %s', async (_, asked) => {
    expect(await relay(asked)).toMatchObject({ status: 403, body: { code: 'relay_target_refused' } });
  });

  it('refuses everybody but who made the sandbox, and keys that do not reach its organization', async () => {
    const { db } = service.app;
    const other = await makeOrg(db);
    await db.query(`INSERT INTO org_members (org_id, user_id, role) VALUES ($1, $2, 'member')`, [
      other.id,
      service.owner.userId,
    ]);
    for (const { key } of [
      await makeCaller(db, service.owner.orgId, 'owner'),
      await makeKey(db, service.owner.userId, { orgId: other.id }),
    ])
      expect(await relay({}, key)).toMatchObject({ status: 403, body: { code: 'relay_target_refused' } });
    expect((await relay({}, sessionKey)).status).toBe(401);
    expect((await relay({ method: 'DELETE' })).status).toBe(422);
    expect(JSON.stringify((await relay({ method: 'DELETE' })).body)).not.toContain(sessionKey);
  });

  it('refuses a sandbox that does not run', async () => {
    await service.call('POST', `/api/v1/sandboxes/${conversation.sandbox_id}/pause`);
    expect(await relay({})).toMatchObject({ status: 403, body: { code: 'relay_target_refused' } });
  });
});

describe('an agent server that several sandboxes share', () => {
  it('is never called for who has its key', async () => {
    const doubled = await DoubledService.start();
    try {
      const { id } = await doubled.conversation();
      const response = await doubled.service.call<ErrorBody>('POST', PATH, {
        body: {
          host: doubled.double.url,
          method: 'GET',
          path: `/api/conversations/${id}/events/count`,
          headers: { 'X-Session-API-Key': doubled.double.target.apiKey },
        },
      });
      expect([response.status, response.body.code]).toEqual([403, 'relay_target_refused']);
      expect(doubled.double.arrived(callTo('GET', `/api/conversations/${id}/events/count`))).toEqual([]);
    } finally {
      await doubled.close();
    }
  });
});
