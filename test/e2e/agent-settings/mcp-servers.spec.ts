import { DoubledService } from '../../support/agent-server/doubled-service';
import { makeCaller } from '../../support/service/factories';
import { call, type ErrorBody } from '../../support/service/http';

type Servers = Record<string, Record<string, unknown>>;

interface Settings extends ErrorBody {
  readonly agent_settings: { readonly mcp_config: Servers };
  readonly mcp_config: Servers;
}

const PATH = '/api/v1/settings';
const SECRET = 'Bearer a-secret-of-a-tool';
const HIDDEN = '**********';
const TICKETS = { transport: 'http', url: 'https://mcp.example.com/mcp', headers: { Authorization: SECRET } };
const LOCAL = { transport: 'stdio', command: 'uvx', args: ['a-server'], env: { TOKEN: SECRET } };

let doubled: DoubledService;
beforeAll(async () => {
  doubled = await DoubledService.start();
});
afterAll(() => doubled.close());

const newKey = async () => (await makeCaller(doubled.service.app.db, doubled.service.owner.orgId)).key;

/** Merges a patch into the MCP servers of a user. */
const patch = (key: string, servers: unknown) =>
  call<Settings>(doubled.service.app, 'POST', PATH, {
    key,
    body: { agent_settings_diff: { mcp_config: servers } },
  });

const read = async (key: string) =>
  (await call<Settings>(doubled.service.app, 'GET', PATH, { key })).body.mcp_config;

/** What the agent of a new conversation is made of. */
async function agentOf(key: string): Promise<{ mcp_config?: Servers }> {
  return (await doubled.askedToStart(key)).agent;
}

describe('MCP servers of a user', () => {
  it('are kept encrypted, answered without secrets, and given to agents as they are', async () => {
    const key = await newKey();
    const saved = await patch(key, { tickets: TICKETS, local: LOCAL });
    const shown = {
      tickets: { ...TICKETS, headers: { Authorization: HIDDEN } },
      local: { ...LOCAL, env: { TOKEN: HIDDEN } },
    };
    expect(saved).toMatchObject({ status: 200, body: { agent_settings: { mcp_config: shown } } });
    expect(await read(key)).toEqual(shown);
    const rows = await doubled.service.app.db.query<unknown[]>('SELECT * FROM agent_settings');
    expect(JSON.stringify([saved, rows])).not.toContain('a-secret-of');
    expect(JSON.stringify(rows)).not.toMatch(/mcp\.example|uvx/);
    expect((await agentOf(key)).mcp_config).toEqual({ tickets: TICKETS, local: LOCAL });
    expect((await agentOf(await newKey())).mcp_config).toBeUndefined();
  });

  it('are changed by merge patches, in which a hidden value leaves the one that is there', async () => {
    const key = await newKey();
    await patch(key, { tickets: TICKETS, local: LOCAL });
    await patch(key, {
      tickets: { headers: { Authorization: HIDDEN, 'X-Team': 'shop' }, timeout: 30 },
      local: null,
      never: { headers: { Authorization: HIDDEN }, url: 'https://never.example.com' },
    });
    expect((await agentOf(key)).mcp_config).toEqual({
      tickets: { ...TICKETS, headers: { Authorization: SECRET, 'X-Team': 'shop' }, timeout: 30 },
      never: { url: 'https://never.example.com', headers: {} },
    });
    await patch(key, { tickets: { enabled: false, headers: null } });
    expect((await agentOf(key)).mcp_config).toEqual({ never: expect.anything() as unknown });
    expect((await read(key))['tickets']).toEqual({
      ...TICKETS,
      headers: undefined,
      timeout: 30,
      enabled: false,
    });
    await patch(key, null);
    expect(await read(key)).toEqual({});
  });

  it('lose what they identified themselves with when they move to another host', async () => {
    const key = await newKey();
    const auth = { strategy: 'bearer', value: SECRET };
    await patch(key, { tickets: TICKETS, docs: { url: 'https://docs.example.com/mcp', auth } });
    expect((await read(key))['docs']).toMatchObject({ auth: { strategy: 'bearer', value: HIDDEN } });
    await patch(key, {
      tickets: { url: 'https://mcp.example.com/other' },
      docs: { url: 'https://elsewhere.example.com/mcp' },
    });
    expect((await agentOf(key)).mcp_config).toEqual({
      tickets: { ...TICKETS, url: 'https://mcp.example.com/other' },
      docs: { url: 'https://elsewhere.example.com/mcp' },
    });
  });

  it('are one’s own', async () => {
    await patch(await newKey(), { tickets: TICKETS });
    expect(await read(await newKey())).toEqual({});
  });

  it.each([
    ['no address', { transport: 'http' }],
    ['no command', { transport: 'stdio', url: 'https://mcp.example.com' }],
    ['an unknown transport', { ...TICKETS, transport: 'pigeon' }],
    ['another scheme', { url: 'file:///etc/passwd' }],
    ['a password in its address', { url: 'https://a:b@mcp.example.com' }],
    ['two identifications', { ...TICKETS, auth: { strategy: 'none' } }],
    ['an unknown identification', { url: 'https://mcp.example.com', auth: { strategy: 'smile' } }],
    ['no user', { url: 'https://mcp.example.com', auth: { strategy: 'basic', password: SECRET } }],
    [
      'a header that is no text',
      { url: 'https://mcp.example.com', headers: { Authorization: { a: SECRET } } },
    ],
    ['more than all may have', { ...TICKETS, headers: { Authorization: SECRET, More: 'x'.repeat(65_536) } }],
  ])('are not saved with %s, and the answer repeats no secret', async (_, server) => {
    const key = await newKey();
    const refused = await patch(key, { tickets: server });
    expect(refused).toMatchObject({ status: 400, body: { code: 'mcp_config_invalid' } });
    expect(JSON.stringify(refused.body)).not.toContain('a-secret-of');
    expect(await read(key)).toEqual({});
  });

  it.each([
    ['of a strange name', { 'a b': TICKETS }],
    ['without a name', { '': TICKETS }],
    ['nested without an end', { a: JSON.parse('{"a":'.repeat(50) + '1' + '}'.repeat(50)) as unknown }],
    ['as a list', [TICKETS]],
  ])('are refused %s', async (_, servers) => {
    const refused = await patch(await newKey(), servers);
    expect(refused.status).toBe(422);
    expect(JSON.stringify(refused.body)).not.toContain('a-secret-of');
  });

  it('are fifty at most', async () => {
    const key = await newKey();
    const many = Object.fromEntries(
      Array.from({ length: 51 }, (_, n) => [`s${n}`, { url: 'https://a.example' }]),
    );
    expect((await patch(key, many)).status).toBe(400);
    delete many['s0'];
    expect((await patch(key, many)).status).toBe(200);
  });
});
