import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../../src/operations/cli/command-line';
import { environmentOfNode, ROOT, scriptOf } from '../../support/compiled/compiled-sources';
import { startTestApp, type TestApp } from '../../support/service/app';
import { eventually } from '../../support/eventually';
import { makeProvider } from '../../support/identity/providers';
import { makeCaller, makeOrg } from '../../support/service/factories';
import { call } from '../../support/service/http';
import { ServiceProcess } from '../../support/service/service-process';
import { awakeMs } from '../../support/awake-clock';
import { timeBound } from '../../support/time-bound';

const A_STRING: unknown = expect.any(String);
const A_NUMBER: unknown = expect.any(Number);

describe('the command line', () => {
  let app: TestApp;
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'cli-test-'));
    app = await startTestApp({ env: { APP_ROLE: 'api' } });
  });
  afterAll(async () => {
    await app.close();
    await rm(dataDir, { recursive: true });
  });

  const environment = () => ({
    DATABASE_URL: app.database.url,
    SECRET_KEY: 'a-secret-key-of-tests-0123456789',
    DATA_DIR: dataDir,
  });
  const run = async (...args: string[]) =>
    JSON.parse(await runCommand(args, environment())) as Record<string, unknown>;
  const status = async (key: unknown) =>
    (await call(app, 'GET', '/api/keys/current', { key: String(key) })).status;

  it('brings the database up to date', async () => {
    expect(await run('migrate')).toEqual({ migrations: [] });
  });

  it('makes an organization with an owner and a working key', async () => {
    const made = await run('org:create', '--name', 'Ours', '--owner-email', 'Owner@Example.com');
    expect(made).toEqual({ org_id: A_STRING, user_id: A_STRING, key: A_STRING });
    const key = String(made.key);
    expect((await call(app, 'GET', '/api/keys/current', { key })).body).toMatchObject({
      org_id: made.org_id,
      bound_org_id: made.org_id,
      user_id: made.user_id,
    });
    expect((await call(app, 'GET', '/api/v1/users/me', { key })).body).toMatchObject({
      email: 'owner@example.com',
      role: 'owner',
    });
  });

  it('takes an id and a name for both, and an id only once', async () => {
    const id = randomUUID();
    const args = ['org:create', '--name', 'N', '--owner-email', 'named@example.com', '--id', id];
    expect((await run(...args, '--owner-name', 'Robin')).org_id).toBe(id);
    await expect(run(...args)).rejects.toThrow('There is an organization with this id already.');
  });

  it('adds members, new users and known ones', async () => {
    const { id } = await makeOrg(app.db);
    const other = await makeOrg(app.db);
    const first = await run('member:add', '--org', id, '--email', 'm@example.com', '--role', 'Admin');
    const again = await run('member:add', '--org', other.id, '--email', 'm@example.com', '--role', 'member');
    expect(again.user_id).toBe(first.user_id);
    expect((await call(app, 'GET', '/api/v1/users/me', { key: String(first.key) })).body).toMatchObject({
      org_id: id,
      role: 'admin',
    });
    await expect(
      run('member:add', '--org', id, '--email', 'm@example.com', '--role', 'owner'),
    ).rejects.toThrow('m@example.com is a member of this organization already.');
  });

  it('issues keys, bound or not, and revokes them', async () => {
    const { org_id: org } = await run('org:create', '--name', 'K', '--owner-email', 'k@example.com');
    const unbound = await run('key:issue', '--email', 'k@example.com');
    const bound = await run('key:issue', '--email', 'k@example.com', '--org', String(org));
    const read = async (key: unknown) =>
      (await call<{ bound_org_id: unknown }>(app, 'GET', '/api/keys/current', { key: String(key) })).body;
    expect((await read(unbound.key)).bound_org_id).toBeNull();
    expect((await read(bound.key)).bound_org_id).toBe(org);
    await run('key:revoke', '--id', String(bound.id));
    await eventually(async () => expect(await status(bound.key)).toBe(401));
    await expect(run('key:revoke', '--id', String(bound.id))).rejects.toThrow('There is no key');
  });

  it('prints a single field as plain text, to be used in a shell', async () => {
    await run('org:create', '--name', 'F', '--owner-email', 'f@example.com');
    const issue = ['key:issue', '--email', 'f@example.com'];
    const key = await runCommand([...issue, '--field', 'key'], environment());
    expect(await status(key)).toBe(200);
    expect(await runCommand([...issue, '--field', 'id'], environment())).toMatch(/^\d+$/);
    await expect(runCommand([...issue, '--field', 'word'], environment())).rejects.toThrow(
      'The result has no field word; it has id, key.',
    );
  });

  it('issues keys that expire', async () => {
    await run('org:create', '--name', 'E', '--owner-email', 'e@example.com');
    const soon = new Date(Date.now() + 3_600_000);
    const { id, key } = await run(
      'key:issue',
      '--email',
      'e@example.com',
      '--expires-at',
      soon.toISOString(),
    );
    expect(await status(key)).toBe(200);
    const overNow = `UPDATE api_keys SET expires_at = now() WHERE id = $1 AND expires_at = $2 RETURNING id`;
    const [changed] = await app.db.query<[unknown[], number]>(overNow, [id, soon]);
    expect(changed).toHaveLength(1);
    await eventually(async () => expect(await status(key)).toBe(401));
  });

  it('ends all keys of a user', async () => {
    const { key } = await run('org:create', '--name', 'D', '--owner-email', 'd@example.com');
    expect(await status(key)).toBe(200);
    await run('user:disable', '--email', 'D@example.com');
    await eventually(async () => expect(await status(key)).toBe(401));
    await expect(run('key:issue', '--email', 'd@example.com')).rejects.toThrow('is disabled');
  });

  it('enables a user again, with the keys that they have', async () => {
    const { key } = await run('org:create', '--name', 'A', '--owner-email', 'again@example.com');
    await run('user:disable', '--email', 'again@example.com');
    await eventually(async () => expect(await status(key)).toBe(401));
    await run('user:enable', '--email', 'Again@example.com');
    await eventually(async () => expect(await status(key)).toBe(200));
  });

  it('erases a user, or says what that would do', async () => {
    const made = await run('org:create', '--name', 'E', '--owner-email', 'erased@example.com');
    expect(await run('user:erase', '--email', 'erased@example.com', '--dry-run')).toMatchObject({
      state: 'preview',
      of_account: true,
      counts: { api_keys: 1 },
    });
    expect(await status(made.key)).toBe(200);
    expect(await run('user:erase', '--email', 'Erased@example.com')).toEqual({
      user_id: made.user_id,
      erasure_id: A_STRING,
      state: 'working',
    });
    await eventually(async () => expect(await status(made.key)).toBe(401));
    await expect(run('user:erase', '--email', 'erased@example.com')).rejects.toThrow('There is no user');
  });

  it('gives a domain to one organization, and takes it away', async () => {
    const [one, other] = [await makeOrg(app.db), await makeOrg(app.db)];
    const domain = `${randomUUID()}.example.com`;
    const of = ({ id }: { readonly id: string }) => ['--org', id, '--domain', domain.toUpperCase()];
    expect(await run('domain:verify', ...of(one))).toEqual({
      org_id: one.id,
      domain,
      verified_at: expect.any(String) as unknown,
    });
    await expect(run('domain:verify', ...of(other))).rejects.toThrow('Another organization');
    expect(await run('domain:remove', ...of(one))).toEqual({ org_id: one.id, removed: true });
    await expect(run('domain:remove', ...of(one))).rejects.toThrow('no such domain');
    expect((await run('domain:verify', ...of(other))).org_id).toBe(other.id);
  });

  it('has an organization let people in by more than its provider again', async () => {
    const { orgId, key } = await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner');
    const { id } = await makeProvider(app.db, { orgId, issuer: 'https://sign-in.example.com' });
    await app.db.query('INSERT INTO org_credential_rules (org_id, only_provider_id) VALUES ($1, $2)', [
      orgId,
      id,
    ]);
    const own = async () => (await call(app, 'GET', `/api/organizations/${orgId}/me`, { key })).status;
    expect(await own()).toBe(403);
    expect(await run('provider:optional', '--org', orgId)).toEqual({ org_id: orgId, only_provider: null });
    await eventually(async () => expect(await own()).toBe(200));
  });

  it('lists organizations, users and keys, without what the keys are', async () => {
    const made = await run('org:create', '--name', 'Listed', '--owner-email', 'listed@example.com');
    const { org_id, user_id, key } = made;
    const member = await run(
      'member:add',
      '--org',
      String(org_id),
      '--email',
      'z@example.com',
      '--role',
      'member',
    );
    await run('user:disable', '--email', 'z@example.com');
    const itemsOf = async (name: string) => (await run(name)).items;
    const [name, created_at] = ['Listed', A_STRING];
    expect(await itemsOf('org:list')).toContainEqual({
      org_id,
      name,
      created_at,
      owners: ['listed@example.com'],
      members: 2,
      ending_at: null,
    });
    const users = await itemsOf('user:list');
    for (const [id, email, role, disabled_at] of [
      [user_id, 'listed@example.com', 'owner', null],
      [member.user_id, 'z@example.com', 'member', A_STRING],
    ])
      expect(users).toContainEqual({
        user_id: id,
        email,
        name: null,
        created_at,
        disabled_at,
        organizations: [{ org_id, role }],
      });
    expect(await itemsOf('key:list')).toContainEqual({
      id: expect.any(Number) as number,
      email: 'listed@example.com',
      org_id,
      name: 'Command line',
      prefix: String(key).slice(0, 10),
      created_at,
      last_used_at: null,
      expires_at: null,
    });
    expect(JSON.stringify(await itemsOf('key:list'))).not.toContain(String(key));
  });

  it.each([
    [['org:create', '--name', 'X'], /^--owner-email is missing\. Usage: org:create --name …/],
    [['org:create', '--name', 'X', '--owner-email', 'none'], /not an e-mail address/],
    [['member:add', '--org', 'x', '--email', 'a@b.c', '--role', 'member'], /--org must be a UUID/],
    [['member:add', '--org', randomUUID(), '--email', 'a@b.c', '--role', 'root'], /member, admin or owner/],
    [['member:add', '--org', randomUUID(), '--email', 'a@b.c', '--role', 'admin'], /no organization/],
    [['user:erase', '--email', 'nobody@example.com'], /There is no user/],
    [['user:disable', '--email', 'nobody@example.com'], /There is no user/],
    [['user:enable', '--email', 'nobody@example.com'], /There is no user/],
    [['key:issue', '--email', 'nobody@example.com'], /There is no user/],
    [['key:issue'], /Either --email or --owner/],
    [['key:issue', '--email', 'a@b.c', '--owner'], /Either --email or --owner/],
    [['key:issue', '--email', 'a@b.c', '--expires-at', '2020-01-01'], /in the future/],
    [['key:revoke', '--id', 'one'], /must be the number of a key/],
    [['key:revoke', '--nr', '1'], /Usage: key:revoke/],
    [['nothing'], /There is no command nothing; there are migrate, /],
    [[], /There is no command given/],
  ])('says what is wrong with %j', async (args, sentence) => {
    await expect(runCommand(args, environment())).rejects.toThrow(sentence);
  });

  it('answers one JSON object on standard output, or one sentence on standard error', () => {
    const { path, execArgv } = scriptOf(join(ROOT, 'src', 'cli'));
    const cli = (...args: string[]) =>
      spawnSync(process.execPath, [...execArgv, path, ...args], {
        encoding: 'utf8',
        env: { ...environmentOfNode(), ...environment() },
      });
    const good = cli('migrate');
    expect([good.status, good.stderr]).toEqual([0, '']);
    expect(JSON.parse(good.stdout)).toEqual({ migrations: [] });
    const field = cli('migrate', '--field', 'migrations');
    expect([field.status, field.stdout, field.stderr]).toEqual([0, '[]\n', '']);
    const bad = cli('key:revoke', '--id', '2000000000');
    expect([bad.status, bad.stdout, bad.stderr]).toEqual([1, '', 'There is no key 2000000000.\n']);
  });

  it('works with the embedded database, started for its own duration', async () => {
    const env = { DATA_DIR: join(dataDir, 'embedded') };
    const args = ['org:create', '--name', 'Ours', '--owner-email', 'owner@example.com'];
    const made = JSON.parse(await runCommand(args, env)) as { org_id: string };
    const issue = ['key:issue', '--email', 'owner@example.com', '--org', made.org_id];
    // Not the number after: a server that was ended in a hurry goes on behind the numbers it may have given.
    expect(JSON.parse(await runCommand(issue, env))).toEqual({ id: A_NUMBER, key: A_STRING });
    const other = ['org:create', '--name', 'Theirs', '--owner-email', 'second@example.com'];
    await runCommand(other, env);
    const ofOwner = ['key:issue', '--owner', '--field', 'id'];
    const emailOf = async (id: string) => {
      const { items } = JSON.parse(await runCommand(['key:list'], env)) as {
        items: { id: number; email: string }[];
      };
      return items.find((key) => String(key.id) === id)?.email;
    };
    expect(await emailOf(await runCommand(ofOwner, env))).toBe('owner@example.com');
    await runCommand(['user:disable', '--email', 'owner@example.com'], env);
    expect(await emailOf(await runCommand(ofOwner, env))).toBe('second@example.com');
    await runCommand(['user:disable', '--email', 'second@example.com'], env);
    await expect(runCommand(ofOwner, env)).rejects.toThrow('There is no owner who is not disabled.');
  });

  it('works with the embedded database of a running service, which sees it within a second', async () => {
    const env = { DATA_DIR: join(dataDir, 'running') };
    const service = ServiceProcess.start(env);
    try {
      const url = await service.ready;
      const issue = ['key:issue', '--email', 'owner@localhost.example'];
      const { key } = JSON.parse(await runCommand(issue, env)) as { key: string };
      const answered = async () => (await call({ url }, 'GET', '/api/keys/current', { key })).status;
      expect(await answered()).toBe(200);
      await runCommand(['user:disable', '--email', 'owner@localhost.example'], env);
      const disabledAt = awakeMs();
      let last = await answered();
      while (last === 200 && awakeMs() - disabledAt < timeBound(1_000)) last = await answered();
      expect(last).toBe(401);
      expect((await fetch(`${url}/ready`)).status).toBe(200);
    } finally {
      await service.stop();
    }
  });
});
