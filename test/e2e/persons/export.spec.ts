import { unzipSync } from 'fflate';
import { SomeonePersonal } from '../../support/persons/person';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeKey, makeOrg, type TestCaller } from '../../support/service/factories';
import { call } from '../../support/service/http';
import { fill } from '../../support/database/fill';

let app: TestApp;
let owner: TestCaller;
beforeAll(async () => {
  app = await startTestApp({ env: { APP_ROLE: 'api' } });
  owner = await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner');
});
afterAll(() => app.close());

const PATH = '/api/users/me/export';

/** The texts of an archive's files, by their names. */
async function archiveOf(key: string): Promise<Record<string, string>> {
  const response = await fetch(`${app.url}${PATH}`, { headers: { 'X-Access-Token': key } });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip']);
  const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
  return Object.fromEntries(
    Object.entries(files).map(([name, bytes]) => [name, Buffer.from(bytes).toString()]),
  );
}

const lines = (text = ''): Record<string, unknown>[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('the archive of a person', () => {
  it('has all that is theirs, no secret, and nothing of anybody else', async () => {
    const [person, other] = [await SomeonePersonal.make(app, owner), await SomeonePersonal.make(app, owner)];
    const files = await archiveOf(person.caller.key);
    const of = (name: string) => lines(files[`${name}/000001.jsonl`]);
    expect(of('profile')).toMatchObject([{ id: person.caller.userId, email: person.caller.email }]);
    expect(of('memberships')).toMatchObject([{ org_id: owner.orgId, role: 'member' }]);
    expect(of('secrets')).toEqual([{ name: 'A_SECRET', description: person.word, org_id: null }]);
    expect(of('api_keys').map(({ name }) => name)).toEqual([`Key ${person.word}`, `Unbound ${person.word}`]);
    expect(of('sessions')).toHaveLength(1);
    expect(of('git_credentials')).toMatchObject([
      { url_prefix: 'https://git.example.org/', username: person.word },
    ]);
    expect(of('agent_settings')).toMatchObject([{ git_user_name: person.word }]);
    expect(of('llm_profiles')).toHaveLength(1);
    expect(of('conversations').map(({ id }) => id)).toEqual([...person.conversationIds].sort());
    expect(of('events')).toHaveLength(4);
    expect(of('events')[0]).toMatchObject({ event: { kind: 'PauseEvent' } });
    expect(of('messages')).toMatchObject([
      { content: [{ type: 'text', text: person.word }] },
      { content: [{ type: 'text', text: person.word }] },
    ]);
    const manifest = JSON.parse(files['manifest.json'] ?? '') as { is_complete: boolean; contents: object[] };
    expect(manifest).toMatchObject({ user_id: person.caller.userId, org_id: null, is_complete: true });
    expect(manifest.contents).toContainEqual({ name: 'events', records: 4, files: 1 });
    const all = Object.values(files).join('\n');
    for (const secret of [
      `value-${person.word}`,
      `password-${person.word}`,
      `sk-${person.word}`,
      person.caller.key,
    ])
      expect(all).not.toContain(secret);
    for (const theirs of [other.word, other.caller.userId, ...other.conversationIds])
      expect(all).not.toContain(theirs);
  });

  it('has the rows of the audit log about them, with what is personal of their own', async () => {
    const { caller } = await SomeonePersonal.make(app, owner, 0);
    const add = (position: number, actor: string, target: string | null, personal: string) =>
      app.db.query(
        `WITH row AS (
           INSERT INTO audit_log (position, org_id, id, at, actor_kind, actor_user_id, action, target_type, target_id, outcome, entry, hash)
           VALUES ($1, $2, gen_random_uuid(), now(), 'user', $3, 'x', 'user', $4, 'success', $5, decode(repeat('00', 32), 'hex'))
           RETURNING position)
         INSERT INTO audit_personal (position, user_id, personal, salt)
         SELECT position, $3, $6, decode(repeat('00', 16), 'hex') FROM row`,
        [
          position,
          owner.orgId,
          actor,
          target,
          JSON.stringify({ n: position }),
          JSON.stringify({ address: personal }),
        ],
      );
    await add(1, caller.userId, null, '203.0.113.1');
    await add(2, owner.userId, caller.userId, '203.0.113.2');
    await add(3, owner.userId, owner.userId, '203.0.113.3');
    const files = await archiveOf(caller.key);
    expect(lines(files['audit_log/000001.jsonl'])).toEqual([
      { entry: { n: 1 }, personal: { address: '203.0.113.1' } },
      { entry: { n: 2 }, personal: null },
    ]);
  });

  it('is of one organization with a key that is bound to it, and closed to keys with scopes', async () => {
    const { caller } = await SomeonePersonal.make(app, owner);
    const bound = await makeKey(app.db, caller.userId, { orgId: owner.orgId });
    const files = await archiveOf(bound.key);
    expect(JSON.parse(files['manifest.json'] ?? '')).toMatchObject({ org_id: owner.orgId });
    expect(files['secrets/000001.jsonl']).toBeUndefined();
    const scoped = await makeKey(app.db, caller.userId, { scopes: ['use_conversations'] });
    expect(await call(app, 'GET', PATH, { key: scoped.key })).toMatchObject({
      status: 403,
      body: { code: 'key_scope_missing' },
    });
  });

  it('is written once at a time, of any number of conversations, and holds no connection', async () => {
    const { caller } = await SomeonePersonal.make(app, owner, 0);
    await fill(
      app.database,
      `INSERT INTO conversations (id, org_id, created_by_user_id, start_state, title)
       SELECT gen_random_uuid(), $1, $2, 'ready', repeat('x', 900) FROM generate_series(1, 10000)`,
      [owner.orgId, caller.userId],
    );
    const abort = new AbortController();
    const headers = { 'X-Access-Token': caller.key };
    const first = await fetch(`${app.url}${PATH}`, { headers, signal: abort.signal });
    expect(await call(app, 'GET', PATH, { key: caller.key })).toMatchObject({
      status: 429,
      body: { code: 'too_many_downloads' },
    });
    const [held] = await app.db.query<{ n: number }[]>(
      `SELECT count(*)::integer AS n FROM pg_stat_activity
        WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
    );
    expect(held).toEqual({ n: 0 });
    const files = unzipSync(new Uint8Array(await first.arrayBuffer()));
    const conversations = Object.keys(files).filter((name) => name.startsWith('conversations/'));
    expect(conversations.length).toBeGreaterThan(2);
    const texts = conversations.map((name) => lines(Buffer.from(files[name]!).toString()).length);
    expect(texts.reduce((sum, n) => sum + n, 0)).toBe(10_000);
    expect((await call(app, 'GET', PATH, { key: caller.key })).status).toBe(200);
  });
});
