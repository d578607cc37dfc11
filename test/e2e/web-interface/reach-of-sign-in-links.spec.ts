import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DoubledService } from '../../support/agent-server/doubled-service';
import { eventually } from '../../support/eventually';
import { TestGitServer } from '../../support/git/git-server';
import { inviteOne, sendForm, tokenOf } from '../../support/invitations/invitations';
import { ConversationClient } from '../../support/service/conversation-client';
import { ConversationService } from '../../support/service/conversation-service';
import { makeCaller, makeKey, makeOrg, type TestCaller } from '../../support/service/factories';
import { call, type ErrorBody } from '../../support/service/http';
import { FROM_OWN_PAGE } from '../../support/web-interface/browser-cookie';
import { letIn, linkToken, useLink } from '../../support/sign-in/link-credentials';

type Headers = Readonly<Record<string, string>>;

/** In all that the member keeps for all of their organizations. */
const PERSONAL = 'KEPT_EVERYWHERE';
const PASSWORD = 'the-password-of-a-repository';
const CREDENTIALS = ['its session', 'a key made in it'] as const;

/** What shows something of what a member keeps for all organizations, to who may see it. */
const SHOWN = [
  '/api/v1/secrets/search',
  '/api/v1/settings',
  '/api/v1/settings/profiles',
  `/api/v1/settings/profiles/${PERSONAL}`,
  '/api/agent-profiles',
  `/api/agent-profiles/${PERSONAL}`,
  '/api/v1/config/models/search',
  '/api/users/app',
  '/api/v1/users/me',
];

let folder: string;
let git: TestGitServer;
let doubled: DoubledService;
let member: TestCaller;
let admin: TestCaller;
let headersOf: Readonly<Record<(typeof CREDENTIALS)[number], Headers>>;
const server = () => doubled.service.app;

const as = <Body = ErrorBody>(headers: Headers, method: string, path: string, body?: unknown) =>
  call<Body>(server(), method, path, { headers, ...(body !== undefined && { body }) });

/** Has a caller keep something of each kind, with a mark in it. */
async function keep(key: string, mark: string): Promise<void> {
  const personal = { llm: { model: `openai/${mark}`, base_url: null, api_key: `sk-${mark}` } };
  const servers = { [mark]: { url: 'https://tools.example.com', headers: { 'X-Key': `sk-${mark}` } } };
  const marketplace = { name: mark, source: `github:acme/${mark}` };
  for (const [path, body] of [
    ['/api/v1/secrets', { name: mark, value: `value-${mark}` }],
    ['/api/v1/settings', { agent_settings_diff: { ...personal, mcp_config: servers } }],
    [`/api/v1/settings/profiles/${mark}`, personal],
    [`/api/agent-profiles/${mark}`, { llm_profile_ref: mark }],
    ['/api/users/app', { registered_marketplaces: [marketplace] }],
  ] as const) {
    const { status, body: answer } = await call(server(), 'POST', path, { key, body });
    if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(answer)}`);
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'links-'));
  git = await TestGitServer.start();
  git.behaviour = { auth: { prefix: '/private', username: 'bot', password: PASSWORD } };
  await git.repository('private', { 'README.md': 'private' });
  doubled = await DoubledService.start({ GIT_ALLOWED_HOSTS: git.host }, folder);
});
afterAll(async () => {
  await doubled.close();
  await git.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  const org = await makeOrg(server().db);
  admin = await makeCaller(server().db, org.id, 'admin');
  member = await makeCaller(server().db, org.id);
  await keep(member.key, PERSONAL);
  const { session, key } = await letIn(server(), admin, member.userId);
  headersOf = { 'its session': session, 'a key made in it': { 'X-Access-Token': key } };
});

describe.each(CREDENTIALS)('somebody whom an administrator’s link let in, with %s,', (credential) => {
  let headers: Headers;
  beforeEach(() => (headers = headersOf[credential]));
  const key = () => headersOf['a key made in it']['X-Access-Token'] ?? '';

  it('sees nothing that the member keeps for all organizations', async () => {
    const bound = {
      'X-Access-Token': (await makeKey(server().db, member.userId, { orgId: member.orgId })).key,
    };
    const told = await Promise.all(SHOWN.map((path) => as(bound, 'GET', path)));
    expect(SHOWN.filter((_, index) => !JSON.stringify(told[index]?.body).includes(PERSONAL))).toEqual([]);
    const seen = await Promise.all(SHOWN.map((path) => as(headers, 'GET', path)));
    expect(SHOWN.filter((_, index) => JSON.stringify(seen[index]?.body).includes(PERSONAL))).toEqual([]);
    expect((await as(headers, 'GET', `/api/v1/secrets/${PERSONAL}`)).body.code).toBe('secret_not_found');
  });

  it('changes nothing of it, and takes nothing of it over', async () => {
    for (const [method, path, body] of [
      ['PUT', `/api/v1/secrets/${PERSONAL}`, { name: PERSONAL, value: 'x' }],
      ['DELETE', `/api/v1/secrets/${PERSONAL}`],
      ['POST', `/api/v1/settings/profiles/${PERSONAL}/activate`],
      ['DELETE', `/api/v1/settings/profiles/${PERSONAL}`],
      ['DELETE', `/api/agent-profiles/${PERSONAL}`],
    ] as const)
      expect([path, (await as(headers, method, path, body)).body.code]).toEqual([path, 'signed_in_by_link']);
    const kept = await Promise.all(SHOWN.map((path) => call(server(), 'GET', path, { key: member.key })));
    expect(SHOWN.filter((_, index) => !JSON.stringify(kept[index]?.body).includes(PERSONAL))).toEqual([]);
  });

  it('keeps nothing that would go into what the member starts later, and lets in nobody', async () => {
    const message = { role: 'user', content: [{ type: 'text', text: 'print the secrets' }] };
    const servers = { tools: { command: 'sh', args: ['-c', 'env'] } };
    const colleague = await makeCaller(server().db, member.orgId);
    for (const [method, path, body] of [
      ['POST', '/api/v1/settings', { agent_settings_diff: { mcp_config: servers } }],
      ['POST', '/api/v1/settings/profiles/NEW', { llm: { model: 'openai/any', api_key: 'sk-any' } }],
      ['POST', '/api/agent-profiles/NEW', { llm_profile_ref: null }],
      ['POST', '/api/users/app', { registered_marketplaces: [] }],
      ['POST', '/api/v1/secrets', { name: 'NEW', value: 'x' }],
      [
        'POST',
        '/api/v1/git/credentials',
        { url_prefix: 'https://git.example', username: 'a', password: 'b' },
      ],
      ['POST', '/api/v1/conversations/foreseen/pending-messages', message],
      ['GET', '/api/v1/conversations/foreseen/pending-messages'],
      ['POST', `/api/organizations/${member.orgId}/members/${colleague.userId}/sign-in-link`],
    ] as const)
      expect([path, (await as(headers, method, path, body)).status]).toEqual([path, 403]);
  });

  it('starts conversations with what is kept for the organization, and none of it', async () => {
    const { key: own } = await makeKey(server().db, member.userId, { orgId: member.orgId });
    const secret = { name: 'HERE', value: 'kept here' };
    await call(server(), 'POST', '/api/v1/secrets', { key: own, body: secret });
    const begun = await as<{ id: string }>(headers, 'POST', '/api/v1/app-conversations', {});
    const client = new ConversationClient(server(), key());
    const id = (await client.ended(begun.body.id)).app_conversation_id ?? '';
    const [start] = doubled.double.calls.filter(({ body }) => body.includes(id) && body.includes('HERE'));
    expect(JSON.parse(start?.body ?? '{}')).toMatchObject({ secrets: { HERE: { value: 'kept here' } } });
    expect(start?.body).not.toContain(PERSONAL);
    const answered = await as(headers, 'POST', `/api/v1/app-conversations/${id}/send-message`, {
      role: 'user',
      content: [{ type: 'text', text: 'hello' }],
    });
    expect(answered.status).toBe(200);
  });

  it('clones with credentials for the organization only', async () => {
    const url = git.url('private');
    const logins = { url_prefix: url.replace(/\.git$/, ''), username: 'bot', password: PASSWORD };
    await call(server(), 'POST', '/api/v1/git/credentials', { key: member.key, body: logins });
    const own = new ConversationClient(server(), member.key);
    const begin = async () => {
      const { body } = await as<{ id: string }>(headers, 'POST', '/api/v1/app-conversations', {
        selected_repository: url,
      });
      return own.ended(body.id);
    };
    expect((await begin()).status).toBe('ERROR');
    const { key: bound } = await makeKey(server().db, member.userId, { orgId: member.orgId });
    await call(server(), 'POST', '/api/v1/git/credentials', { key: bound, body: logins });
    expect((await begin()).status).toBe('READY');
  });

  it('reads conversations that were started otherwise, and does nothing with them', async () => {
    const { id, sandboxId } = await doubled.conversation({ owner: member });
    const conversation = `/api/v1/app-conversations/${id}`;
    const read = await as(headers, 'GET', conversation);
    expect(read).toMatchObject({ status: 200, body: { conversation_url: null, session_api_key: null } });
    expect((await as(headers, 'GET', `/api/v1/conversation/${id}/events/search`)).status).toBe(200);
    const message = { role: 'user', content: [{ type: 'text', text: 'print the secrets' }] };
    for (const [method, path, body] of [
      ['POST', `${conversation}/send-message`, message],
      ['POST', `${conversation}/interrupt`],
      ['POST', `/api/v1/conversations/${id}/pending-messages`, message],
      ['GET', `${conversation}/file?file_path=README.md`],
      ['GET', `${conversation}/git/changes`],
      ['POST', `${conversation}/switch_profile`, { profile_name: 'any' }],
      ['PATCH', conversation, { title: 'x' }],
      ['DELETE', conversation],
    ] as const)
      expect([path, (await as(headers, method, path, body)).body.code]).toEqual([path, 'signed_in_by_link']);
    const sandbox = `/api/v1/sandboxes/${sandboxId}`;
    for (const [method, path, body] of [
      ['POST', `${sandbox}/resume`],
      ['POST', `${sandbox}/pause`],
      ['GET', `${sandbox}/logs`],
      ['GET', `${sandbox}/agent-server/api/conversations/${id}`],
      ['POST', '/api/v1/app-conversations', { sandbox_id: sandboxId }],
    ] as const)
      expect([path, (await as(headers, method, path, body)).status]).toEqual([path, 404]);
    expect((await as(headers, 'GET', `/api/v1/sandboxes?id=${sandboxId}`)).body).toEqual([null]);
    expect((await as(headers, 'GET', '/api/v1/sandboxes/search')).body).toMatchObject({ items: [] });
    expect((await call(server(), 'POST', `${sandbox}/pause`, { key: member.key })).status).toBe(200);
  });

  it('leaves a sandbox behind into which nothing of it goes, whoever uses it', async () => {
    const { body } = await as<{ id: string }>(headers, 'POST', '/api/v1/sandboxes', {});
    const start = await doubled.askedToStart(member.key, { sandbox_id: body.id });
    expect(JSON.stringify(start)).not.toContain(PERSONAL);
    const profiled = `/api/v1/app-conversations/${start.conversation_id}/switch_profile`;
    const switched = await call(server(), 'POST', profiled, {
      key: member.key,
      body: { profile_name: PERSONAL },
    });
    expect(switched.status).toBe(404);
    expect(JSON.stringify(await doubled.askedToStart(member.key))).toContain(`value-${PERSONAL}`);
  });

  it('accepts no invitation of another organization', async () => {
    const other = await makeCaller(server().db, (await makeOrg(server().db)).id, 'owner');
    const token = tokenOf(await inviteOne(server(), other, member.email));
    const accepted = await as(headers, 'POST', '/api/organizations/members/invite/accept', { token });
    expect([accepted.status, accepted.body.code]).toEqual([403, 'key_bound_to_other_organization']);
    for (const step of ['key', 'session']) {
      const form = await sendForm(server(), { token, step, key: key() }, { ...headers, ...FROM_OWN_PAGE });
      expect([step, form.status, form.headers['set-cookie']]).toEqual([step, 403, undefined]);
      expect(form.body).toContain('This key works in another organization only.');
    }
  });

  it.each([
    ['the member gets another role', () => setRole(member.userId, 'admin')],
    ['its maker gets another role', () => setRole(admin.userId, 'member')],
    ['the member leaves', () => remove(member.userId)],
    ['its maker leaves', () => remove(admin.userId)],
    ['the member revokes the key of the session', () => revoke('Sign-in link')],
    ['the member revokes the key that was made in it', () => revoke('Made meanwhile')],
    [
      'its maker is disabled',
      () => server().db.query('UPDATE users SET disabled_at = now() WHERE id = $1', [admin.userId]),
    ],
  ])('is somebody no longer when %s', async (_, change) => {
    expect((await as(headers, 'GET', '/api/keys/current')).status).toBe(200);
    await change();
    await eventually(async () => {
      expect((await as(headers, 'GET', '/api/keys/current')).status).toBe(401);
    }, 5_000);
  });
});

const owner = () => makeCaller(server().db, member.orgId, 'owner');

async function setRole(userId: string, role: string): Promise<void> {
  const path = `/api/organizations/${member.orgId}/members/${userId}`;
  expect((await call(server(), 'PATCH', path, { key: (await owner()).key, body: { role } })).status).toBe(
    200,
  );
}

async function remove(userId: string): Promise<void> {
  const path = `/api/organizations/${member.orgId}/members/${userId}`;
  expect((await call(server(), 'DELETE', path, { key: (await owner()).key })).status).toBe(200);
}

/** Has the member revoke the one of their keys with this name. */
async function revoke(name: string): Promise<void> {
  const { body } = await call<{ id: number; name: string }[]>(server(), 'GET', '/api/keys', {
    key: member.key,
  });
  const { id } = body.find((key) => key.name === name) ?? {};
  expect((await call(server(), 'DELETE', `/api/keys/${id}`, { key: member.key })).status).toBe(200);
}

describe('the role of who is let in', () => {
  /** Does something while the member is made an owner, which is committed only when that waits. */
  async function whileRising<T>(work: () => Promise<T>): Promise<T> {
    let result: Promise<T> | undefined;
    await server().db.transaction(async (tx) => {
      await tx.query('SELECT 1 FROM organizations WHERE id = $1 FOR NO KEY UPDATE', [member.orgId]);
      result = work();
      await eventually(async () => {
        const [waiting] = await server().db.query<unknown[]>(
          `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
        );
        if (waiting === undefined) throw new Error('Nothing waits.');
      });
      await tx.query(`UPDATE org_members SET role = 'owner' WHERE user_id = $1`, [member.userId]);
    });
    return result!;
  }

  it('is that of the moment in which the session begins', async () => {
    const token = await linkToken(server(), admin, member.userId);
    expect((await whileRising(() => useLink(server(), token))).status).toBe(403);
  });

  it('is that of the moment in which the link is made', async () => {
    const path = `/api/organizations/${member.orgId}/members/${member.userId}/sign-in-link`;
    const made = await whileRising(() => call<ErrorBody>(server(), 'POST', path, { key: admin.key }));
    expect(made.body.code).toBe('rank_too_low');
  });
});

describe('the key of a sandbox that somebody made whom a link let in', () => {
  it('opens nothing that the member keeps for all organizations, neither alone nor beside their key', async () => {
    const service = await ConversationService.start();
    try {
      const person = await makeCaller(service.app.db, service.owner.orgId);
      await call(service.app, 'POST', '/api/v1/secrets', {
        key: person.key,
        body: { name: PERSONAL, value: 'x' },
      });
      await call(service.app, 'POST', `/api/v1/settings/profiles/${PERSONAL}`, {
        key: person.key,
        body: { llm: { model: 'openai/own', api_key: `sk-${PERSONAL}` } },
      });
      const { key } = await letIn(service.app, service.owner, person.userId);
      const client = new ConversationClient(service.app, key);
      const { sandbox_id: id, session_api_key: sandboxKey } = await client.record(await client.ready());
      const headers = { 'X-Session-API-Key': sandboxKey ?? '' };
      const secrets = `/api/v1/sandboxes/${id}/settings/secrets`;
      expect(await call(service.app, 'GET', secrets, { headers })).toMatchObject({
        status: 200,
        body: { secrets: [] },
      });
      expect((await call(service.app, 'GET', `${secrets}/${PERSONAL}`, { headers })).status).toBe(404);
      const me = await call(service.app, 'GET', '/api/v1/users/me?expose_secrets=true', { key, headers });
      expect(me.status).toBe(200);
      expect(JSON.stringify(me.body)).not.toContain(PERSONAL);
    } finally {
      await service.close();
    }
  });
});
