import { DoubledService } from '../../support/agent-server/doubled-service';
import { ConversationClient } from '../../support/service/conversation-client';
import { makeCaller, makeKey, makeMember, makeOrg } from '../../support/service/factories';
import { type HttpResponse, call, type CallOptions, type ErrorBody } from '../../support/service/http';

interface Body extends ErrorBody {
  readonly profiles: readonly { id: string; name: string }[];
  readonly active_agent_profile_id: string | null;
  readonly profile: { id: string; revision: number };
  readonly launched_agent_profile: { agent_profile_id: string; revision: number } | null;
}

const MODELS = '/api/v1/settings/profiles';
const OWN = '/api/agent-profiles';
const STARTS = '/api/v1/app-conversations';
const NOT_FOUND = { status: 404, body: { code: 'profile_not_found' } };

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

const send = (
  method: string,
  path: string,
  key: string,
  body?: unknown,
  options: CallOptions = {},
): Promise<HttpResponse<Body>> =>
  call<Body>(app(), method, path, { key, ...(body !== undefined && { body }), ...options });
const succeeds = async (path: string, key: string, body: unknown) =>
  expect((await send('POST', path, key, body)).status).toBe(200);
const saveModel = (path: string, key: string, model: string) => succeeds(path, key, { llm: { model } });
const activate = (path: string, key: string) => succeeds(`${path}/activate`, key, {});
const modelOfStart = async (key: string, request = {}) =>
  (await doubled.askedToStart(key, request)).agent.llm.model;

async function newOrg() {
  const { id } = await makeOrg(app().db);
  return {
    id,
    models: `/api/organizations/${id}/profiles`,
    agents: `/api/organizations/${id}/agent-profiles`,
    admin: await makeCaller(app().db, id, 'admin'),
    member: await makeCaller(app().db, id),
  };
}

/** Saves an agent profile that runs on a model profile. @returns its id */
async function saveAgent(path: string, key: string, llmProfileRef?: string): Promise<string> {
  await succeeds(path, key, { llm_profile_ref: llmProfileRef });
  return (await send('GET', path, key)).body.profile.id;
}

/** An organization with an agent profile `Reviewer` on the model `org/model`. */
async function withReviewer() {
  const org = await newOrg();
  await saveModel(`${org.models}/Fast`, org.admin.key, 'org/model');
  return { ...org, reviewer: await saveAgent(`${org.agents}/Reviewer`, org.admin.key, 'Fast') };
}

/** What one does with a profile that is there. */
const OPERATIONS = [
  ['GET', ''],
  ['DELETE', ''],
  ['POST', '/rename', { new_name: 'New' }],
  ['POST', '/activate', {}],
] as const;

describe.each(['of a user', 'of an organization'])('agent profiles %s', (whose) => {
  const isOfUser = whose === 'of a user';
  const pathsOf = (org: { models: string; agents: string }) =>
    isOfUser ? { models: MODELS, agents: OWN } : org;

  it('are saved, read, renamed, activated, deleted, and conversations start with them', async () => {
    const org = await newOrg();
    const { key } = org.admin;
    const { models, agents } = pathsOf(org);
    expect((await send('GET', agents, key)).body).toEqual({ profiles: [], active_agent_profile_id: null });
    await saveModel(`${models}/Fast`, key, 'fast/model');
    await saveModel(`${models}/Slow`, key, 'slow/model');
    expect(await send('POST', `${agents}/Reviewer`, key, { llm_profile_ref: 'Fast' })).toMatchObject({
      status: 200,
      body: { name: 'Reviewer' },
    });
    await succeeds(`${agents}/Planner`, key, { profile: { llm_profile_ref: 'Slow' } });
    const { profiles } = (await send('GET', agents, key)).body;
    expect(profiles).toMatchObject([
      { name: 'Planner', agent_kind: 'openhands', revision: 1, llm_profile_ref: 'Slow', mcp_server_refs: [] },
      { name: 'Reviewer', llm_profile_ref: 'Fast' },
    ]);
    const [planner, reviewer] = profiles.map(({ id }) => id);
    expect(await modelOfStart(key)).toBe('house/model');
    expect(await modelOfStart(key, { agent_profile_id: planner })).toBe('slow/model');
    await activate(`${agents}/Planner`, key);
    await activate(`${agents}/${reviewer}`, key);
    expect((await send('GET', agents, key)).body.active_agent_profile_id).toBe(reviewer);
    expect(await modelOfStart(key)).toBe('fast/model');
    expect(await modelOfStart(key, { llm_model: 'asked/model' })).toBe('asked/model');
    expect(await send('POST', `${agents}/Reviewer/rename`, key, { new_name: 'Planner' })).toMatchObject({
      status: 409,
      body: { code: 'profile_exists' },
    });
    await succeeds(`${agents}/Reviewer/rename`, key, { new_name: 'Critic' });
    expect((await send('GET', `${agents}/Critic`, key)).body).toMatchObject({
      name: 'Critic',
      profile: { id: reviewer, revision: 2 },
    });
    expect((await send('DELETE', `${agents}/Critic`, key)).status).toBe(200);
    expect((await send('GET', agents, key)).body).toMatchObject({ active_agent_profile_id: null });
    expect(await modelOfStart(key)).toBe('house/model');
  });

  it('are 100 at most', async () => {
    const org = await newOrg();
    const { agents } = pathsOf(org);
    await app().db.query(
      `INSERT INTO agent_profiles (id, user_id, org_id, name)
       SELECT gen_random_uuid(), $1, $2, 'P' || n FROM generate_series(1, 99) n`,
      isOfUser ? [org.admin.userId, null] : [null, org.id],
    );
    const responses = await Promise.all(
      ['X', 'Y', 'Z'].map((name) => send('POST', `${agents}/${name}`, org.admin.key, {})),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(responses.find(({ status }) => status === 409)?.body.code).toBe('too_many_profiles');
    expect((await send('POST', `${agents}/P1`, org.admin.key, {})).status).toBe(200);
  });

  it('are not there under names that nobody saved or that cannot be stored', async () => {
    const org = await newOrg();
    const { agents } = pathsOf(org);
    for (const name of ['Nobody', 'a%00', '7b1f9f86-4d0c-4a3e-9d1b-0a4f6c1f2e11'])
      for (const [method, end, body] of OPERATIONS)
        expect(await send(method, `${agents}/${name}${end}`, org.admin.key, body)).toMatchObject(NOT_FOUND);
  });

  it.each([
    ['a name with a slash', 'a%2Fb', {}],
    ['a name that is too long', 'a'.repeat(101), {}],
    ['another kind of agent', 'A', { agent_kind: 'acp' }],
    ['the name of a model profile that is too long', 'A', { llm_profile_ref: 'a'.repeat(101) }],
  ])('refuse %s', async (_, name, body) => {
    const org = await newOrg();
    expect((await send('POST', `${pathsOf(org).agents}/${name}`, org.admin.key, body)).status).toBe(422);
  });
});

describe('agent profiles of a user', () => {
  it('are 404 to others, in start requests too', async () => {
    const org = await newOrg();
    const mine = await saveAgent(`${OWN}/Mine`, org.admin.key);
    for (const [method, end, body] of OPERATIONS)
      expect(await send(method, `${OWN}/Mine${end}`, org.member.key, body)).toMatchObject(NOT_FOUND);
    expect(await send('POST', `${OWN}/${mine}/activate`, org.member.key, {})).toMatchObject(NOT_FOUND);
    expect(await send('POST', `${org.agents}/${mine}/activate`, org.admin.key, {})).toMatchObject(NOT_FOUND);
    expect(await send('POST', STARTS, org.member.key, { agent_profile_id: mine })).toMatchObject(NOT_FOUND);
  });
});

describe('agent profiles of an organization', () => {
  it('are read by members and changed by who may edit its settings', async () => {
    const { agents, member, reviewer } = await withReviewer();
    expect((await send('GET', agents, member.key)).body.profiles).toMatchObject([{ id: reviewer }]);
    expect((await send('GET', `${agents}/Reviewer`, member.key)).body.profile.id).toBe(reviewer);
    for (const [method, end, body] of [...OPERATIONS.slice(1), ['POST', '', {}] as const])
      expect(await send(method, `${agents}/Reviewer${end}`, member.key, body)).toMatchObject({
        status: 403,
        body: { code: 'permission_denied' },
      });
    expect((await send('GET', `${agents}/Reviewer`, member.key)).body.profile.revision).toBe(1);
  });

  it('are out of reach of other organizations, in start requests too', async () => {
    const [org, other] = [await withReviewer(), await newOrg()];
    for (const [method, end, body] of OPERATIONS) {
      expect(await send(method, `${org.agents}/Reviewer${end}`, other.admin.key, body)).toMatchObject({
        status: 403,
        body: { code: 'not_a_member' },
      });
      const foreign = `${other.agents}/Reviewer${end}`;
      expect(await send(method, foreign, other.admin.key, body)).toMatchObject(NOT_FOUND);
    }
    const byId = `${other.agents}/${org.reviewer}/activate`;
    expect(await send('POST', byId, other.admin.key, {})).toMatchObject(NOT_FOUND);
    const start = { agent_profile_id: org.reviewer };
    expect(await send('POST', STARTS, other.member.key, start)).toMatchObject(NOT_FOUND);
  });

  it('count in starts in their organization only, for a member of two as well', async () => {
    const [org, other] = [await withReviewer(), await newOrg()];
    await activate(`${org.agents}/Reviewer`, org.admin.key);
    const user = await makeMember(app().db, org.id);
    await makeMember(app().db, other.id, 'member', user);
    const keyFor = async (orgId: string) => (await makeKey(app().db, user.id, { orgId })).key;
    const [here, there] = [await keyFor(org.id), await keyFor(other.id)];
    const start = { agent_profile_id: org.reviewer };
    expect([await modelOfStart(here), await modelOfStart(here, start)]).toEqual(['org/model', 'org/model']);
    expect(await modelOfStart(there)).toBe('house/model');
    expect(await send('POST', STARTS, there, start)).toMatchObject(NOT_FOUND);
  });

  it('are what members’ conversations start with, as their records say', async () => {
    const { agents, admin, member, reviewer } = await withReviewer();
    const launchedWith = async (request = {}) => {
      const id = await new ConversationClient(app(), member.key).ready(request);
      return (await send('GET', `${STARTS}/${id}`, member.key)).body.launched_agent_profile;
    };
    expect(await launchedWith()).toBeNull();
    const launched = { agent_profile_id: reviewer, revision: 1 };
    expect(await launchedWith({ agent_profile_id: reviewer })).toEqual(launched);
    await activate(`${agents}/Reviewer`, admin.key);
    expect(await launchedWith()).toEqual(launched);
    const own = await saveAgent(`${OWN}/Mine`, member.key);
    await activate(`${OWN}/Mine`, member.key);
    expect(await launchedWith()).toEqual({ agent_profile_id: own, revision: 1 });
    expect(await launchedWith({ agent_profile_id: reviewer })).toEqual(launched);
  });

  it('are not in the lists of members', async () => {
    const { agents, admin, member } = await withReviewer();
    await activate(`${agents}/Reviewer`, admin.key);
    for (const { key } of [admin, member])
      expect((await send('GET', OWN, key)).body).toEqual({ profiles: [], active_agent_profile_id: null });
    expect(await send('GET', `${OWN}/Reviewer`, member.key)).toMatchObject(NOT_FOUND);
  });

  it('give way to the models that members choose, unless a request names them', async () => {
    const { agents, models, admin, member, reviewer } = await withReviewer();
    const { key } = member;
    await activate(`${agents}/Reviewer`, admin.key);
    await saveModel(`${models}/Other`, admin.key, 'other/model');
    await activate(`${models}/Other`, admin.key);
    expect(await modelOfStart(key)).toBe('org/model');
    await succeeds('/api/v1/settings', key, { llm_model: 'hand/model' });
    expect(await modelOfStart(key)).toBe('hand/model');
    await saveModel(`${MODELS}/Mine`, key, 'my/model');
    await activate(`${MODELS}/Mine`, key);
    expect(await modelOfStart(key)).toBe('my/model');
    expect(await modelOfStart(key, { agent_profile_id: reviewer })).toBe('org/model');
    expect(await modelOfStart(key, { agent_profile_id: reviewer, llm_model: 'asked/model' })).toBe(
      'asked/model',
    );
  });

  it('run on model profiles of the organization, not on those of members', async () => {
    const { models, admin, member, reviewer } = await withReviewer();
    await saveModel(`${MODELS}/Fast`, member.key, 'my/model');
    expect(await modelOfStart(member.key, { agent_profile_id: reviewer })).toBe('org/model');
    await send('DELETE', `${models}/Fast`, admin.key);
    const client = new ConversationClient(app(), member.key);
    const task = await client.ended((await client.begin({ agent_profile_id: reviewer })).id);
    expect([task.status, task.detail]).toEqual([
      'READY',
      expect.stringContaining('There is no model profile Fast'),
    ]);
    expect(await modelOfStart(member.key, { agent_profile_id: reviewer })).toBe('house/model');
  });

  it('are shown in what members’ settings answer', async () => {
    const { agents, models, admin, member } = await withReviewer();
    const llm = { model: 'org/model', base_url: 'https://models.example.com/v1', api_key: 'sk-of-org' };
    await succeeds(`${models}/Fast`, admin.key, { llm });
    await activate(`${agents}/Reviewer`, admin.key);
    expect((await send('GET', '/api/v1/settings', member.key)).body).toMatchObject({
      llm_model: 'org/model',
      llm_base_url: 'https://models.example.com/v1',
      llm_api_key_set: true,
    });
    expect((await doubled.askedToStart(member.key)).agent.llm).toMatchObject(llm);
  });
});
