import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeKey, makeMember, makeOrg, makeUser } from '../../support/service/factories';
import { call } from '../../support/service/http';

const LLM_API_KEY = 'key of the operator';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({
    env: {
      APP_ROLE: 'api',
      LLM_MODEL: 'openai/a-model',
      LLM_BASE_URL: 'https://user:password@models.example.com/v1/?key=secret',
      LLM_API_KEY,
    },
  });
});
afterAll(() => app.close());

describe('GET /api/v1/users/me', () => {
  it('answers user, organization, role and permissions', async () => {
    const org = await makeOrg(app.db);
    const user = await makeMember(app.db, org.id, 'admin', await makeUser(app.db, { name: 'Robin' }));
    const { key } = await makeKey(app.db, user.id);
    const { status, body } = await call<{ permissions: string[] }>(app, 'GET', '/api/v1/users/me', {
      headers: { Authorization: `Bearer ${key}` },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: user.id,
      org_id: org.id,
      email: user.email,
      name: 'Robin',
      role: 'admin',
    });
    expect(body.permissions).toContain('view_org_conversations');
    expect(body.permissions).not.toContain('delete_organization');
  });

  it('is 404 for a current organization that was never set, or is gone', async () => {
    const org = await makeOrg(app.db);
    const { key } = await makeKey(app.db, (await makeUser(app.db)).id);
    expect(await call(app, 'GET', '/api/v1/users/me', { key })).toMatchObject({
      status: 404,
      body: { code: 'current_organization_not_found' },
    });
    const gone = await makeCaller(app.db, org.id);
    await app.db.query('DELETE FROM organizations WHERE id = $1', [org.id]);
    expect((await call(app, 'GET', '/api/v1/users/me', { key: gone.key })).status).toBe(404);
  });

  it('answers which model conversations use, without its secrets', async () => {
    const { key } = await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner');
    const { status, body } = await call(app, 'GET', '/api/v1/users/me', {
      headers: { Authorization: `Bearer ${key}` },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      llm_model: 'openai/a-model',
      llm_base_url: 'https://models.example.com/v1',
      llm_api_key: null,
      llm_profiles: { profiles: {}, active: null },
      mcp_config: { sse_servers: [], shttp_servers: [], stdio_servers: [] },
    });
    expect(JSON.stringify(body)).not.toMatch(new RegExp(`${LLM_API_KEY}|password|secret`));
  });

  it('answers the tool servers that agents get, as programs read them, without their secrets', async () => {
    const { key } = await makeCaller(app.db, (await makeOrg(app.db)).id);
    const url = 'https://mcp.example.com/mcp';
    const mcp_config = {
      header: { url, headers: { authorization: 'Bearer s3cret' }, timeout: 30 },
      bearer: { transport: 'streamable-http', url, auth: { strategy: 'bearer', value: 's3cret' } },
      key: { transport: 'http', url, auth: { strategy: 'api_key', value: 's3cret', header_name: 'X-Key' } },
      events: { transport: 'sse', url: `${url}/sse`, auth: { strategy: 'api_key', value: 's3cret' } },
      local: { command: 'uvx', args: ['tickets'], env: { TOKEN: 's3cret' } },
      plain: { transport: 'stdio', command: 'true' },
      off: { url, enabled: false },
    };
    const saved = await call(app, 'POST', '/api/v1/settings', {
      key,
      body: { agent_settings_diff: { mcp_config } },
    });
    expect(saved.status).toBe(200);
    const { body } = await call<Record<string, unknown>>(app, 'GET', '/api/v1/users/me', { key });
    expect(body['mcp_config']).toEqual({
      sse_servers: [{ url: `${url}/sse`, api_key: '**********' }],
      shttp_servers: [
        { url, api_key: '**********', timeout: 30 },
        { url, api_key: '**********', timeout: null },
        { url, api_key: null, timeout: null },
      ],
      stdio_servers: [
        { name: 'local', command: 'uvx', args: ['tickets'], env: { TOKEN: '**********' } },
        { name: 'plain', command: 'true', args: [], env: {} },
      ],
    });
    expect(JSON.stringify(body)).not.toContain('s3cret');
  });

  it('answers null where the installation names no model', async () => {
    const other = await startTestApp({ env: { APP_ROLE: 'api' }, database: app.database });
    try {
      const { key } = await makeCaller(app.db, (await makeOrg(app.db)).id);
      const { body } = await call(other, 'GET', '/api/v1/users/me', { key });
      expect(body).toMatchObject({ llm_model: null, llm_base_url: null, llm_api_key: null });
    } finally {
      await other.close();
    }
  });
});
