import { readdir, readFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { hexOf } from '../../src/kernel/common';
import { callAbout } from '../support/agent-server/agent-server-calls';
import { DoubledService } from '../support/agent-server/doubled-service';
import { TestGitServer } from '../support/git/git-server';
import { makeCaller, makeKey, makeMember, makeOrg } from '../support/service/factories';
import { type HttpResponse, call, type ErrorBody } from '../support/service/http';

interface Body extends ErrorBody {
  readonly id: string;
  readonly url_prefix: string;
  readonly credentials: readonly { url_prefix: string }[];
}

const OWN = '/api/v1/git/credentials';
const PASSWORD = 'the-password-of-a-repository';
const GITHUB = { url_prefix: 'https://github.com/acme', username: 'bot', password: PASSWORD };

let folder: string;
let git: TestGitServer;
let doubled: DoubledService;
const app = () => doubled.service.app;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'git-credentials-'));
  git = await TestGitServer.start();
  git.behaviour = { auth: { prefix: '/private', username: 'bot', password: PASSWORD } };
  doubled = await DoubledService.start({ GIT_ALLOWED_HOSTS: git.host }, folder);
  await git.repository('private', { 'README.md': 'private' });
});
afterAll(async () => {
  await doubled.close();
  await git.close();
  await rm(folder, { recursive: true, force: true });
});

const send = (method: string, path: string, key: string, body?: unknown): Promise<HttpResponse<Body>> =>
  call<Body>(app(), method, path, { key, ...(body !== undefined && { body }) });

async function newOrg() {
  const { id } = await makeOrg(app().db);
  const path = `/api/organizations/${id}/git-credentials`;
  return { id, path, admin: await makeCaller(app().db, id, 'admin'), member: await makeCaller(app().db, id) };
}

describe('git credentials', () => {
  it.each(['of a user', 'of an organization'])(
    '%s are kept, listed and deleted, never answered',
    async (whose) => {
      const org = await newOrg();
      const { key } = org.admin;
      const path = whose === 'of a user' ? OWN : org.path;
      const made = await send('POST', path, key, GITHUB);
      expect(made).toMatchObject({ status: 201, body: { url_prefix: GITHUB.url_prefix, username: 'bot' } });
      expect(await send('POST', path, key, GITHUB)).toMatchObject({
        status: 409,
        body: { code: 'git_credential_exists' },
      });
      const list = await send('GET', path, key);
      expect(list.body).toEqual({ credentials: [made.body] });
      const rows = await app().db.query<unknown[]>('SELECT * FROM git_credentials');
      expect(JSON.stringify([made, list, rows])).not.toContain(PASSWORD);
      expect(await send('DELETE', `${path}/${made.body.id}`, key)).toMatchObject({ body: { success: true } });
      expect(await send('DELETE', `${path}/${made.body.id}`, key)).toMatchObject({
        status: 404,
        body: { code: 'git_credential_not_found' },
      });
      expect((await send('GET', path, key)).body.credentials).toEqual([]);
    },
  );

  it.each([
    ['an address with a password', { url_prefix: 'https://a:b@github.com' }, 'value_error'],
    ['another scheme', { url_prefix: 'ssh://github.com' }, 'value_error'],
    ['too long an address, escaped', { url_prefix: `https://github.com/${'é'.repeat(500)}` }, 'value_error'],
    ['a line break in a password', { password: `${PASSWORD}\nurl=x` }, 'value_error'],
    ['a tab in a name', { username: 'a\tb' }, 'value_error'],
    ['a colon in a name', { username: 'a:b' }, 'value_error'],
    ['an empty password', { password: '' }, 'value_error'],
    ['an address that can be read in two ways', { url_prefix: `${GITHUB.url_prefix}/%2e%2e` }, 'value_error'],
    ['too many bytes of a password', { password: 'é'.repeat(2_049) }, 'value_error'],
    ['too long a password', { password: 'p'.repeat(4_097) }, 'string_too_long'],
  ])('refuse %s, without repeating it', async (_, change, type) => {
    const { member } = await newOrg();
    const refused = await send('POST', OWN, member.key, { ...GITHUB, ...change });
    expect([
      refused.status,
      (refused.body.detail as unknown as { type: string }[]).map((fault) => fault.type),
    ]).toEqual([422, [type]]);
    expect(JSON.stringify(refused.body)).not.toContain(PASSWORD);
  });

  it.each([
    ['a password with spaces', { password: 'correct horse battery' }],
    ['letters beyond ASCII', { username: 'Jürgen Müller', password: 'пароль' }],
    ['an empty user name', { username: '' }],
    ['a password as long as may be', { password: 'é'.repeat(2_048) }],
    ['an address as Azure DevOps shows it', { url_prefix: 'https://acme@dev.azure.com/acme/My%20shop' }],
  ])('take %s', async (_, change) => {
    const { member } = await newOrg();
    const made = await send('POST', OWN, member.key, { ...GITHUB, ...change });
    expect([made.status, made.body.url_prefix.includes('@')]).toEqual([201, false]);
  });

  it('are seen and changed by their owner, those of an organization by who may edit its settings', async () => {
    const [org, other] = [await newOrg(), await newOrg()];
    const mine = await send('POST', OWN, org.member.key, GITHUB);
    const ours = await send('POST', org.path, org.admin.key, GITHUB);
    expect((await send('GET', OWN, org.admin.key)).body.credentials).toEqual([]);
    expect((await send('DELETE', `${OWN}/${mine.body.id}`, org.admin.key)).status).toBe(404);
    expect((await send('DELETE', `${OWN}/${ours.body.id}`, org.admin.key)).status).toBe(404);
    expect((await send('DELETE', `${other.path}/${ours.body.id}`, other.admin.key)).status).toBe(404);
    for (const [method, path] of [
      ['GET', org.path],
      ['POST', org.path],
      ['DELETE', `${org.path}/${ours.body.id}`],
    ] as const)
      expect((await send(method, path, org.member.key, method === 'POST' ? GITHUB : undefined)).status).toBe(
        403,
      );
  });

  it('kept with a bound key are its organization’s only, and end with the membership', async () => {
    const org = await newOrg();
    const user = await makeMember(app().db, org.id);
    const { key } = await makeKey(app().db, user.id, { orgId: org.id });
    await send('POST', OWN, key, GITHUB);
    expect((await send('GET', OWN, (await makeKey(app().db, user.id)).key)).body.credentials).toEqual([]);
    await app().db.query('DELETE FROM org_members WHERE user_id = $1', [user.id]);
    expect(await app().db.query('SELECT 1 FROM git_credentials WHERE user_id = $1', [user.id])).toEqual([]);
  });

  it.each(['of a user', 'of an organization'])('%s are changed, what is absent stays', async (whose) => {
    const org = await newOrg();
    const { key } = org.admin;
    const path = whose === 'of a user' ? OWN : org.path;
    const { id } = (await send('POST', path, key, GITHUB)).body;
    const change = (body: object) => send('PATCH', `${path}/${id}`, key, body);
    const sealed = async () =>
      (await app().db.query<unknown[]>('SELECT sealed_password FROM git_credentials WHERE id = $1', [id]))[0];
    const before = await sealed();
    expect((await change({})).body).toEqual({
      id,
      url_prefix: GITHUB.url_prefix,
      username: 'bot',
      git_provider: 'github',
    });
    expect((await change({ username: 'other' })).body).toMatchObject({ username: 'other' });
    expect((await change({ url_prefix: 'https://github.com/Acme/a b' })).body.url_prefix).toBe(
      'https://github.com/Acme/a%20b',
    );
    expect(await sealed()).toEqual(before);
    const renewed = await change({ password: 'another-password' });
    expect([renewed.status, JSON.stringify(renewed.body).includes('another')]).toEqual([200, false]);
    expect(await sealed()).not.toEqual(before);
    expect((await change({ git_provider: 'forgejo' })).body).toMatchObject({ git_provider: 'forgejo' });
    expect((await change({ git_provider: null })).body).toMatchObject({ git_provider: 'github' });
    expect((await send('GET', path, key)).body.credentials).toHaveLength(1);
  });

  it('keep their password at their host', async () => {
    const { member } = await newOrg();
    const { id } = (await send('POST', OWN, member.key, GITHUB)).body;
    const change = (body: object) => send('PATCH', `${OWN}/${id}`, member.key, body);
    for (const address of [
      'https://elsewhere.example',
      'http://github.com/acme',
      'https://github.com:444/acme',
    ])
      expect(await change({ url_prefix: address })).toMatchObject({
        status: 400,
        body: { code: 'git_password_needed' },
      });
    const moved = { url_prefix: 'https://elsewhere.example/', password: 'for-elsewhere' };
    expect(await change(moved)).toMatchObject({ status: 200, body: { git_provider: null } });
  });

  it('are not changed into one that there is, by anybody else, or by what is no change', async () => {
    const org = await newOrg();
    const other = { ...GITHUB, url_prefix: 'https://github.com/other' };
    const { id } = (await send('POST', OWN, org.member.key, GITHUB)).body;
    await send('POST', OWN, org.member.key, other);
    expect(
      await send('PATCH', `${OWN}/${id}`, org.member.key, { url_prefix: other.url_prefix }),
    ).toMatchObject({
      status: 409,
      body: { code: 'git_credential_exists' },
    });
    for (const path of [`${OWN}/${id}`, `${org.path}/${id}`, `${OWN}/none`])
      expect(await send('PATCH', path, org.admin.key, { username: 'x' })).toMatchObject({
        status: 404,
        body: { code: 'git_credential_not_found' },
      });
    expect((await send('PATCH', `${org.path}/${id}`, org.member.key, { username: 'x' })).status).toBe(403);
    for (const body of [
      { url_prefix: 'ssh://github.com' },
      { password: `${PASSWORD}\n` },
      { username: null },
    ]) {
      const refused = await send('PATCH', `${OWN}/${id}`, org.member.key, body);
      expect([refused.status, JSON.stringify(refused.body).includes(PASSWORD)]).toEqual([422, false]);
    }
  });

  it('say where repositories of their provider are cloned from', async () => {
    await git.repository('team/site', { 'README.md': 'site' });
    const request = { selected_repository: 'team/site', git_provider: 'forgejo' };
    const credential = { url_prefix: `http://${git.host}/team`, username: 'bot', password: PASSWORD };
    const made = await doubled.service.call<Body>('POST', OWN, {
      body: { ...credential, git_provider: 'forgejo' },
    });
    const task = await doubled.service.ended((await doubled.service.begin(request)).id);
    expect([task.status, task.detail]).toEqual(['READY', null]);
    await doubled.service.call('DELETE', `${OWN}/${made.body.id}`);
  });

  it('are 50 at most', async () => {
    const { member } = await newOrg();
    await app().db.query(
      `INSERT INTO git_credentials (id, user_id, url_prefix, username, sealed_password)
       SELECT gen_random_uuid(), $1, 'https://example.com/' || n, 'a', 'x' FROM generate_series(1, 50) n`,
      [member.userId],
    );
    expect(await send('POST', OWN, member.key, GITHUB)).toMatchObject({
      status: 409,
      body: { code: 'too_many_git_credentials' },
    });
  });

  it('clone repositories of conversations, and leave no trace in the sandbox', async () => {
    const request = { selected_repository: git.url('private') };
    const without = await doubled.service.ended((await doubled.service.begin(request)).id);
    expect(without.status).toBe('ERROR');
    const credential = {
      url_prefix: git.url('private').replace(/\.git$/, ''),
      username: 'bot',
      password: PASSWORD,
    };
    expect((await doubled.service.call('POST', OWN, { body: credential })).status).toBe(201);
    const task = await doubled.service.ended((await doubled.service.begin(request)).id);
    expect([task.status, task.detail]).toEqual(['READY', null]);
    const id = task.app_conversation_id ?? '';
    const commands = doubled.double.arrived(callAbout(id)).filter(({ path }) => path.startsWith('/api/bash'));
    expect(commands.length).toBeGreaterThan(0);
    expect(JSON.stringify([commands, task])).not.toContain(PASSWORD);
    const files = await readdir(folder, { recursive: true });
    const config = files.find((file) => file.includes(hexOf(id)) && file.endsWith('.git/config')) ?? '';
    expect(await readFile(join(folder, config), 'utf8')).not.toMatch(/credential|password|bot/);
    const logins = new Set(JSON.stringify(commands).match(/\.login-[0-9a-f-]{36}/g));
    expect(logins.size).toBeGreaterThan(0);
    const left = [...files, ...(await readdir(tmpdir()))].filter((file) => logins.has(basename(file)));
    expect(left).toEqual([]);
  });

  it('of an organization fetch its marketplaces', async () => {
    const org = await newOrg();
    const preview = async () =>
      (
        await call<{ errors: string[] }>(app(), 'POST', '/api/v1/skills/marketplace-skills', {
          key: org.admin.key,
          body: [{ name: 'team', source: git.url('private') }],
        })
      ).body.errors;
    expect(await preview()).toEqual([expect.stringContaining('credentials')]);
    const credential = { url_prefix: `http://${git.host}/`, username: 'bot', password: PASSWORD };
    await send('POST', OWN, org.admin.key, credential);
    expect(await preview()).toEqual([expect.stringContaining('credentials')]);
    await send('POST', org.path, org.admin.key, credential);
    expect((await preview()).join()).not.toContain('credentials');
  });
});
