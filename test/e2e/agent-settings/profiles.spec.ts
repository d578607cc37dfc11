import { DoubledService } from '../../support/agent-server/doubled-service';
import { makeCaller, makeKey, makeMember, makeOrg } from '../../support/service/factories';
import { type HttpResponse, call, type ErrorBody } from '../../support/service/http';

interface Body extends ErrorBody {
  readonly profiles: readonly { name: string; model: string }[];
  readonly active_profile: string | null;
  readonly connections: readonly { id: string; provider: string }[];
  readonly items: readonly object[];
  readonly next_page_id: string | null;
  readonly id: string;
}

const KEY = 'sk-a-key-of-a-profile';
const OWN = '/api/v1/settings/profiles';

let doubled: DoubledService;
const app = () => doubled.service.app;
beforeAll(async () => {
  doubled = await DoubledService.start({
    LLM_MODEL: 'house/model',
    MAX_SANDBOXES: '1000',
    MAX_SANDBOXES_PER_ORG: '1000',
  });
});
afterAll(() => doubled.close());

const send = (method: string, path: string, key: string, body?: unknown): Promise<HttpResponse<Body>> =>
  call<Body>(app(), method, path, { key, ...(body !== undefined && { body }) });
const save = (path: string, key: string, llm: object) => send('POST', path, key, { llm });

async function newOrg() {
  const { id } = await makeOrg(app().db);
  return {
    id,
    path: `/api/organizations/${id}/profiles`,
    connections: `/api/organizations/${id}/provider-connections`,
    admin: await makeCaller(app().db, id, 'admin'),
    member: await makeCaller(app().db, id),
  };
}

/** The model that the agent server is given with a conversation of this key. */
const llmOfStart = async (key: string, request = {}) => (await doubled.askedToStart(key, request)).agent.llm;

describe('model profiles', () => {
  it.each(['of a user', 'of an organization'])(
    '%s are saved, read, renamed, activated, deleted',
    async (whose) => {
      const org = await newOrg();
      const { key } = org.admin;
      const path = whose === 'of a user' ? OWN : org.path;
      expect((await send('GET', path, key)).body).toEqual({ profiles: [], active_profile: null });
      const made = await save(`${path}/Fast`, key, { model: 'openai/gpt-5', api_key: KEY });
      expect([made.status, made.body]).toMatchObject([200, { name: 'Fast' }]);
      await save(`${path}/Other`, key, { model: 'other/model', base_url: 'https://models.example.com/v1' });
      const list = await send('GET', path, key);
      expect(list.body).toEqual({
        profiles: [
          { name: 'Fast', model: 'openai/gpt-5', base_url: null, api_key_set: true },
          {
            name: 'Other',
            model: 'other/model',
            base_url: 'https://models.example.com/v1',
            api_key_set: false,
          },
        ],
        active_profile: null,
      });
      const read = await send('GET', `${path}/Fast`, key);
      const llm = { model: 'openai/gpt-5', base_url: null, api_key_set: true };
      expect(read).toMatchObject({ status: 200, body: { name: 'Fast', llm, config: llm } });
      expect(await send('POST', `${path}/Fast/rename`, key, { new_name: 'Other' })).toMatchObject({
        status: 409,
        body: { code: 'profile_exists' },
      });
      expect((await send('POST', `${path}/Fast/rename`, key, { new_name: 'Quick' })).status).toBe(200);
      expect((await send('POST', `${path}/Quick/activate`, key, {})).status).toBe(200);
      expect((await send('GET', path, key)).body.active_profile).toBe('Quick');
      expect(await llmOfStart(key)).toMatchObject({ model: 'openai/gpt-5', api_key: KEY });
      await send('POST', `${path}/Other/activate`, key, {});
      expect(await llmOfStart(key)).toEqual({
        model: 'other/model',
        base_url: 'https://models.example.com/v1',
        usage_id: 'agent',
        stream: true,
      });
      expect((await send('DELETE', `${path}/Other`, key)).status).toBe(200);
      expect((await send('GET', path, key)).body).toMatchObject({ active_profile: null });
      expect((await llmOfStart(key)).model).toBe('house/model');
      const settings = await send('GET', '/api/v1/settings', key);
      const rows = await app().db.query<unknown[]>('SELECT * FROM llm_profiles');
      expect(JSON.stringify([made, list, read, settings, rows])).not.toContain(KEY);
    },
  );

  it('are 404 where they are unknown, another user’s or another organization’s', async () => {
    const [org, other] = [await newOrg(), await newOrg()];
    await save(`${OWN}/Mine`, org.member.key, { model: 'a/b' });
    await save(`${org.path}/Ours`, org.admin.key, { model: 'a/b' });
    for (const [path, key] of [
      [`${OWN}/Mine`, org.admin.key],
      [`${other.path}/Ours`, other.admin.key],
    ] as const)
      for (const [method, end, body] of [
        ['GET', ''],
        ['DELETE', ''],
        ['POST', '/rename', { new_name: 'New' }],
        ['POST', '/activate', {}],
      ] as const)
        expect(await send(method, path + end, key, body)).toMatchObject({
          status: 404,
          body: { code: 'profile_not_found' },
        });
    expect((await send('GET', org.path, other.admin.key)).status).toBe(403);
  });

  it('of an organization are read by members and changed by who may edit its settings', async () => {
    const org = await newOrg();
    await save(`${org.path}/Ours`, org.admin.key, { model: 'a/b', api_key: KEY });
    expect((await send('GET', `${org.path}/Ours`, org.member.key)).status).toBe(200);
    for (const [method, end, body] of [
      ['POST', '', { llm: { model: 'a/b' } }],
      ['DELETE', ''],
      ['POST', '/rename', { new_name: 'New' }],
      ['POST', '/activate', {}],
    ] as const)
      expect(await send(method, `${org.path}/Ours${end}`, org.member.key, body)).toMatchObject({
        status: 403,
        body: { code: 'permission_denied' },
      });
  });

  it('give way to what users choose themselves', async () => {
    const org = await newOrg();
    const { key } = org.member;
    await save(`${org.path}/Ours`, org.admin.key, { model: 'org/model', api_key: 'key-of-org' });
    await send('POST', `${org.path}/Ours/activate`, org.admin.key, {});
    expect(await llmOfStart(key)).toMatchObject({ model: 'org/model', api_key: 'key-of-org' });
    await save(`${OWN}/Mine`, key, { model: 'my/model', api_key: 'key-of-mine' });
    await send('POST', `${OWN}/Mine/activate`, key, {});
    expect(await llmOfStart(key)).toMatchObject({ model: 'my/model', api_key: 'key-of-mine' });
    await send('POST', '/api/v1/settings', key, { llm_model: 'hand/model' });
    expect((await send('GET', OWN, key)).body.active_profile).toBeNull();
    expect(await llmOfStart(key)).toMatchObject({ model: 'hand/model', api_key: 'key-of-org' });
  });

  it.each([
    ['a name with a slash', 'a%2Fb', { model: 'a/b' }, 'value_error'],
    ['a name that is too long', 'a'.repeat(101), { model: 'a/b' }, 'string_too_long'],
    ['no model', 'A', { model: ' ' }, 'string_too_short'],
    ['an address with a password', 'A', { model: 'a/b', base_url: 'https://a:b@example.com' }, 'value_error'],
    ['a key with a space', 'A', { model: 'a/b', api_key: 'a b' }, 'value_error'],
  ])('refuse %s', async (_, name, llm, type) => {
    const { member } = await newOrg();
    const refused = await save(`${OWN}/${name}`, member.key, llm);
    expect([
      refused.status,
      (refused.body.detail as unknown as { type: string }[]).map((fault) => fault.type),
    ]).toEqual([422, [type]]);
    expect(JSON.stringify(refused.body)).not.toContain('input');
  });

  it('are not there under names that cannot be stored', async () => {
    const { key } = (await newOrg()).member;
    expect(await send('GET', `${OWN}/a%00`, key)).toMatchObject({
      status: 404,
      body: { code: 'profile_not_found' },
    });
    const renamed = await send('POST', `${OWN}/a%00/rename`, key, { new_name: 'A' });
    expect([renamed.status, (await send('DELETE', `${OWN}/a%00`, key)).status]).toEqual([404, 404]);
  });

  it('are 100 at most, and take no key along to another host', async () => {
    const { member } = await newOrg();
    await save(`${OWN}/A`, member.key, { model: 'a/b', base_url: 'https://a.example.com', api_key: KEY });
    await save(`${OWN}/A`, member.key, { model: 'a/c' });
    expect((await send('GET', `${OWN}/A`, member.key)).body).toMatchObject({ llm: { api_key_set: true } });
    await save(`${OWN}/A`, member.key, { model: 'a/c', base_url: 'https://b.example.com' });
    expect((await send('GET', `${OWN}/A`, member.key)).body).toMatchObject({ llm: { api_key_set: false } });
    await app().db.query(
      `INSERT INTO llm_profiles (id, user_id, name, model)
       SELECT gen_random_uuid(), $1, 'P' || n, 'a/b' FROM generate_series(1, 98) n`,
      [member.userId],
    );
    const responses = await Promise.all(
      ['X', 'Y', 'Z'].map((name) => save(`${OWN}/${name}`, member.key, { model: 'a/b' })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(responses.find(({ status }) => status === 409)?.body.code).toBe('too_many_profiles');
  });

  it('kept with a bound key belong to its organization, and those of all are not its to change', async () => {
    const [org, other] = [await newOrg(), await newOrg()];
    const user = await makeMember(app().db, org.id);
    await makeMember(app().db, other.id, 'member', user);
    const [unbound, bound] = [
      (await makeKey(app().db, user.id)).key,
      (await makeKey(app().db, user.id, { orgId: other.id })).key,
    ];
    await save(`${OWN}/Everywhere`, unbound, { model: 'a/b' });
    await save(`${OWN}/Here`, bound, { model: 'c/d' });
    const names = async (key: string) => (await send('GET', OWN, key)).body.profiles.map(({ name }) => name);
    expect([await names(unbound), await names(bound)]).toEqual([['Everywhere'], ['Everywhere', 'Here']]);
    for (const [method, end, body] of [
      ['DELETE', ''],
      ['POST', '/rename', { new_name: 'New' }],
      ['POST', '/activate', {}],
    ] as const)
      expect(await send(method, `${OWN}/Everywhere${end}`, bound, body)).toMatchObject({
        status: 403,
        body: { code: 'profile_of_all_organizations' },
      });
  });
});

describe('provider connections', () => {
  it('give models of a provider their address and key, and never answer it', async () => {
    const org = await newOrg();
    const made = await send('POST', org.connections, org.admin.key, { provider: 'openai', api_key: KEY });
    expect(made).toMatchObject({
      status: 201,
      body: { provider: 'openai', base_url: null, api_key_set: true },
    });
    const list = await send('GET', org.connections, org.member.key);
    expect(list.body.connections).toEqual([made.body]);
    expect(await llmOfStart(org.member.key, { llm_model: 'openai/gpt-5' })).toMatchObject({ api_key: KEY });
    expect(await llmOfStart(org.member.key)).not.toHaveProperty('api_key');
    const path = `${org.connections}/${made.body.id}`;
    const changed = await send('PATCH', path, org.admin.key, { base_url: 'https://b.example.com' });
    expect(changed.body).toMatchObject({ base_url: 'https://b.example.com', api_key_set: false });
    const rows = await app().db.query<unknown[]>('SELECT * FROM provider_connections');
    expect(JSON.stringify([made, list, changed, rows])).not.toContain(KEY);
    expect(await send('DELETE', path, org.admin.key)).toMatchObject({ status: 200, body: { success: true } });
    expect(await send('DELETE', path, org.admin.key)).toMatchObject({
      status: 404,
      body: { code: 'provider_connection_not_found' },
    });
  });

  it('are looked up for models whose names cannot be stored as they are', async () => {
    const { member } = await newOrg();
    const llm = await llmOfStart(member.key, { llm_model: 'a\0b/c' });
    expect(llm).toMatchObject({ model: 'a\uFFFDb/c' });
  });

  it('are one for each provider, changed by who may edit settings of the organization only', async () => {
    const [org, other] = [await newOrg(), await newOrg()];
    const made = await send('POST', org.connections, org.admin.key, { provider: 'openai' });
    await send('POST', org.connections, org.admin.key, { provider: 'anthropic' });
    const path = `${org.connections}/${made.body.id}`;
    for (const [method, target, body] of [
      ['POST', org.connections, { provider: 'openai' }],
      ['PATCH', path, { provider: 'anthropic' }],
    ] as const)
      expect(await send(method, target, org.admin.key, body)).toMatchObject({
        status: 409,
        body: { code: 'provider_connection_exists' },
      });
    for (const [method, target, body] of [
      ['POST', org.connections, { provider: 'x' }],
      ['PATCH', path, {}],
      ['DELETE', path],
    ] as const)
      expect((await send(method, target, org.member.key, body)).status).toBe(403);
    const foreign = `${other.connections}/${made.body.id}`;
    expect((await send('PATCH', foreign, other.admin.key, {})).status).toBe(404);
    expect((await send('POST', org.connections, org.admin.key, { provider: 'Open AI' })).status).toBe(422);
    await app().db.query(
      `INSERT INTO provider_connections (id, org_id, provider)
       SELECT gen_random_uuid(), $1, 'p' || n FROM generate_series(1, 48) n`,
      [org.id],
    );
    expect(await send('POST', org.connections, org.admin.key, { provider: 'one-more' })).toMatchObject({
      status: 409,
      body: { code: 'too_many_provider_connections' },
    });
  });
});

describe('GET /api/v1/config/models/search and providers/search', () => {
  it('list what is set for the caller, page by page', async () => {
    const org = await newOrg();
    const { key } = org.member;
    await save(`${org.path}/Ours`, org.admin.key, { model: 'openai/gpt-5' });
    await save(`${OWN}/Hidden`, org.admin.key, { model: 'hidden/model' });
    await send('POST', org.connections, org.admin.key, { provider: 'anthropic' });
    await send('POST', '/api/v1/settings', key, { llm_model: 'plain-model' });
    const models = (query: string) => send('GET', `/api/v1/config/models/search${query}`, key);
    const first = await models('?limit=2');
    expect(first.body).toEqual({
      items: [
        { provider: 'house', name: 'model', verified: true, free: false, default: false },
        { provider: 'openai', name: 'gpt-5', verified: true, free: false, default: false },
      ],
      next_page_id: expect.any(String) as string,
    });
    expect((await models(`?limit=2&page_id=${first.body.next_page_id}`)).body).toEqual({
      items: [{ provider: null, name: 'plain-model', verified: true, free: false, default: true }],
      next_page_id: null,
    });
    expect((await models('?provider__eq=openhands')).body).toEqual({ items: [], next_page_id: null });
    expect((await models('?provider__eq=openai')).body.items).toHaveLength(1);
    expect((await models('?query=GPT')).body.items).toHaveLength(1);
    expect((await models('?verified__eq=false')).body.items).toEqual([]);
    expect((await models('?limit=0')).status).toBe(422);
    expect((await send('GET', '/api/v1/config/providers/search?limit=100', key)).body).toEqual({
      items: ['anthropic', 'house', 'openai'].map((name) => ({ name, verified: true })),
      next_page_id: null,
    });
  });
});
