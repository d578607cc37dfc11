import { DoubledService } from '../../support/agent-server/doubled-service';
import { makeCaller, makeKey, makeMember, makeOrg } from '../../support/service/factories';
import { call, type ErrorBody } from '../../support/service/http';

interface Page {
  items: { name: string; description: string | null }[];
  next_page_id: string | null;
}

const PATH = '/api/v1/secrets';
const VALUE = 'the-value-of-a-secret';

let doubled: DoubledService;
const app = () => doubled.service.app;
beforeAll(async () => {
  doubled = await DoubledService.start({ MAX_SANDBOXES: '1000', MAX_SANDBOXES_PER_ORG: '1000' });
});
afterAll(() => doubled.close());

const member = () => makeCaller(app().db, doubled.service.owner.orgId);
const send = (method: string, key: string, path = '', body?: unknown, headers = {}) =>
  call<ErrorBody & Page>(app(), method, PATH + path, { key, headers, ...(body !== undefined && { body }) });
const keep = (key: string, name: string, more = {}) => send('POST', key, '', { name, value: VALUE, ...more });
const names = async (key: string, query = '', headers = {}) =>
  (await send('GET', key, `/search${query}`, undefined, headers)).body.items.map(({ name }) => name);

/** The secrets that the agent server is given with a conversation of this key. */
async function secretsOfStart(key: string, request = {}): Promise<Record<string, { value: string }>> {
  return (await doubled.askedToStart(key, request)).secrets;
}

describe('secrets of a user', () => {
  it('are kept, read, changed and deleted, and their values are answered nowhere', async () => {
    const { key, userId } = await member();
    const made = await keep(key, 'NPM_TOKEN', { description: 'For packages' });
    expect(made).toMatchObject({ status: 201, body: { name: 'NPM_TOKEN', description: 'For packages' } });
    const read = await send('GET', key, '/NPM_TOKEN');
    expect([read.status, read.body]).toEqual([200, made.body]);
    const changed = await send('PUT', key, '/NPM_TOKEN', { name: 'NPM_KEY', description: null });
    expect([changed.status, changed.body]).toEqual([200, { name: 'NPM_KEY', description: null }]);
    expect((await secretsOfStart(key)).NPM_KEY).toEqual({ kind: 'StaticSecret', value: VALUE });
    await send('PUT', key, '/NPM_KEY', { name: 'NPM_KEY', value: 'another' });
    expect((await secretsOfStart(key)).NPM_KEY?.value).toBe('another');
    const page = await send('GET', key, '/search');
    const rows = await app().db.query<unknown[]>('SELECT * FROM user_secrets WHERE user_id = $1', [userId]);
    expect(JSON.stringify([made, read, changed, page, rows])).not.toMatch(/the-value-of|another/);
    expect(await send('DELETE', key, '/NPM_KEY')).toMatchObject({ status: 200, body: { success: true } });
    expect(await names(key)).toEqual([]);
    expect((await secretsOfStart(key)).NPM_KEY).toBeUndefined();
  });

  it('are listed page by page, by name, in part of a name', async () => {
    const { key } = await member();
    for (const name of ['C_TOKEN', 'A_TOKEN', 'B_KEY']) await keep(key, name);
    const first = await send('GET', key, '/search?limit=2');
    expect(first.body).toMatchObject({
      items: [{ name: 'A_TOKEN' }, { name: 'B_KEY' }],
      next_page_id: expect.any(String) as string,
    });
    const { next_page_id: next } = first.body as { next_page_id: string };
    const second = await send('GET', key, `/search?limit=2&page_id=${next}`);
    expect(second.body).toMatchObject({ items: [{ name: 'C_TOKEN' }], next_page_id: null });
    expect(await names(key, '?name__contains=token')).toEqual(['A_TOKEN', 'C_TOKEN']);
    expect((await send('GET', key, '/search?limit=0')).status).toBe(422);
  });

  it.each([
    ['a name that is no variable', { name: 'NPM-TOKEN', value: 'x' }, 'value_error'],
    ['a name that begins with a digit', { name: '1A', value: 'x' }, 'value_error'],
    ['a name that is too long', { name: 'A'.repeat(129), value: 'x' }, 'string_too_long'],
    ['an empty value', { name: 'A', value: '' }, 'value_error'],
    ['a value that is too large', { name: 'A', value: 'x'.repeat(65_537) }, 'value_error'],
    ['a long description', { name: 'A', value: 'x', description: 'd'.repeat(1_001) }, 'string_too_long'],
    ['no value', { name: 'A' }, 'missing'],
  ])('refuse %s', async (_, body, type) => {
    const { key } = await member();
    const { status, body: response } = await send('POST', key, '', body);
    expect([status, (response.detail as unknown as { type: string }[]).map((fault) => fault.type)]).toEqual([
      422,
      [type],
    ]);
    expect(JSON.stringify(response)).not.toContain('input');
    expect(await names(key)).toEqual([]);
  });

  it('take a value of 64 KiB, in any characters', async () => {
    const { key } = await member();
    const value = '🙂'.repeat(16_384);
    expect((await send('POST', key, '', { name: 'A', value })).status).toBe(201);
    expect((await secretsOfStart(key)).A?.value).toBe(value);
  });

  it('have a name once, and are 404 where they are unknown or another user’s', async () => {
    const [mine, theirs] = [await member(), await member()];
    await keep(mine.key, 'A');
    await keep(mine.key, 'B');
    expect(await keep(mine.key, 'A')).toMatchObject({ status: 409, body: { code: 'secret_exists' } });
    expect(await send('PUT', mine.key, '/A', { name: 'B' })).toMatchObject({
      status: 409,
      body: { code: 'secret_exists' },
    });
    for (const [method, body] of [['GET'], ['PUT', { name: 'A' }], ['DELETE']] as const)
      expect(await send(method, theirs.key, '/A', body)).toMatchObject({
        status: 404,
        body: { code: 'secret_not_found' },
      });
    expect(await names(mine.key)).toEqual(['A', 'B']);
  });

  it('are 200 at most, also for calls at once', async () => {
    const { key, userId } = await member();
    await app().db.query(
      `INSERT INTO user_secrets (id, user_id, name, sealed_value)
       SELECT gen_random_uuid(), $1, 'S_' || n, 'x' FROM generate_series(1, 198) n`,
      [userId],
    );
    const responses = await Promise.all(['A', 'B', 'C', 'D'].map((name) => keep(key, name)));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409]);
    expect(responses.find(({ status }) => status === 409)?.body.code).toBe('too_many_secrets');
    await app().db.query('DELETE FROM user_secrets WHERE user_id = $1', [userId]);
  });

  it('kept with a bound key hold in its organization only, before those that hold everywhere', async () => {
    const other = await makeOrg(app().db);
    const user = await makeMember(app().db, doubled.service.owner.orgId);
    await makeMember(app().db, other.id, 'member', user);
    const { key: unbound } = await makeKey(app().db, user.id);
    const { key: bound } = await makeKey(app().db, user.id, { orgId: other.id });
    await keep(unbound, 'SHARED');
    await keep(unbound, 'EVERYWHERE');
    await keep(bound, 'SHARED', { value: 'of the organization' });
    await keep(bound, 'LOCAL');
    expect(await names(unbound)).toEqual(['EVERYWHERE', 'SHARED']);
    expect(await names(unbound, '', { 'X-Org-Id': other.id })).toEqual(['EVERYWHERE', 'LOCAL', 'SHARED']);
    expect(await names(bound)).toEqual(['EVERYWHERE', 'LOCAL', 'SHARED']);
    expect((await secretsOfStart(bound)).SHARED?.value).toBe('of the organization');
    expect((await secretsOfStart(unbound)).SHARED?.value).toBe(VALUE);
    for (const [method, body] of [['PUT', { name: 'A' }], ['DELETE']] as const)
      expect(await send(method, bound, '/EVERYWHERE', body)).toMatchObject({
        status: 403,
        body: { code: 'secret_of_all_organizations' },
      });
    expect((await send('DELETE', bound, '/SHARED')).status).toBe(200);
    expect((await secretsOfStart(bound)).SHARED?.value).toBe(VALUE);
    await app().db.query('DELETE FROM org_members WHERE org_id = $1 AND user_id = $2', [other.id, user.id]);
    expect(await app().db.query('SELECT 1 FROM user_secrets WHERE org_id = $1', [other.id])).toEqual([]);
  });

  it('give way to those of the start request', async () => {
    const { key } = await member();
    await keep(key, 'A');
    expect((await secretsOfStart(key, { secrets: { A: 'of the request' } })).A?.value).toBe('of the request');
  });
});
