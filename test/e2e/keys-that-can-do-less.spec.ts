import { startTestApp, type TestApp } from '../support/service/app';
import { makeCaller, makeKey, makeMember, makeOrg, type TestCaller } from '../support/service/factories';
import { call, type ErrorBody } from '../support/service/http';
import { FROM_OWN_PAGE, startSession } from '../support/web-interface/browser-cookie';
import { StreamReader } from '../support/streams/stream-reader';

interface KeyBody extends ErrorBody {
  readonly id: number;
  readonly key: string;
  readonly prefix: string | null;
  readonly scopes: string[] | null;
  readonly address_ranges: string[] | null;
}

const HOME = '203.0.113.7';
const ELSEWHERE = '198.51.100.9';
/** Failed credentials of an address in a minute. */
const TRIES = 30;

let app: TestApp;
beforeAll(
  async () =>
    (app = await startTestApp({
      env: { APP_ROLE: 'api', TRUSTED_HOPS: '1', FAILED_CREDENTIALS_PER_MINUTE: String(TRIES) },
    })),
);
afterAll(() => app.close());

const from = (address: string) => ({ 'X-Forwarded-For': address });
const create = (key: string, body: unknown, headers = from(HOME)) =>
  call<KeyBody>(app, 'POST', '/api/keys', { key, body, headers });
const newCaller = async (role: 'member' | 'admin' | 'owner' = 'owner'): Promise<TestCaller> =>
  makeCaller(app.db, (await makeOrg(app.db)).id, role);
const use = async (key: string, method: string, path: string, headers = from(HOME)) => {
  const { status, body } = await call<Partial<ErrorBody> | null>(app, method, path, { key, headers });
  return [status, status < 300 ? null : body?.code];
};
const current = (key: string, address = HOME) => use(key, 'GET', '/api/keys/current', from(address));
const OK = [200, null];
const REFUSED = [401, 'not_authenticated'];

describe('scopes', () => {
  it('are shown with the key, in the order of the table, each once, with how the key begins', async () => {
    const { key } = await newCaller();
    const made = await create(key, { scopes: ['manage_webhooks', 'use_conversations', 'manage_webhooks'] });
    const shown = { scopes: ['use_conversations', 'manage_webhooks'], address_ranges: null };
    expect(made.body).toMatchObject({ ...shown, prefix: made.body.key.slice(0, 10) });
    const { body } = await call<KeyBody[]>(app, 'GET', '/api/keys', { key });
    expect(body.find(({ id }) => id === made.body.id)).toMatchObject({ ...shown, prefix: made.body.prefix });
    expect(body.find(({ id }) => id !== made.body.id)).toMatchObject({ scopes: null, address_ranges: null });
  });

  it('are permissions, at least one and at most 100', async () => {
    const { key } = await newCaller();
    for (const scopes of [[], Array(101).fill('use_conversations'), [7], 'use_conversations'])
      expect((await create(key, { scopes })).status).toBe(422);
    for (const name of ['run_conversations', 'USE_CONVERSATIONS', '', 'constructor'])
      expect((await create(key, { scopes: ['use_conversations', name] })).body).toMatchObject({
        code: 'key_scope_unknown',
        detail: `There is no permission ${JSON.stringify(name)}.`,
      });
  });

  it('let the key do what they name, of what its user may, and nothing else', async () => {
    const { key, orgId } = await newCaller('member');
    const { body } = await create(key, { scopes: ['view_org_settings', 'manage_webhooks'] });
    expect(await current(body.key)).toEqual(OK);
    expect(await use(body.key, 'GET', `/api/organizations/${orgId}`)).toEqual(OK);
    expect(await use(body.key, 'GET', `/api/organizations/${orgId}/webhooks`)).toEqual([
      403,
      'permission_denied',
    ]);
    expect(await use(body.key, 'GET', '/api/v1/app-conversations/search')).toEqual([
      403,
      'key_scope_missing',
    ]);
  });

  it('go with what their user loses, at the next request', async () => {
    const { id } = await makeOrg(app.db);
    const [owner, admin] = [await makeCaller(app.db, id, 'owner'), await makeCaller(app.db, id, 'admin')];
    const { body } = await create(admin.key, { scopes: ['manage_webhooks'] });
    const webhooks = () => use(body.key, 'GET', `/api/organizations/${id}/webhooks`);
    expect(await webhooks()).toEqual(OK);
    const demoted = await call(app, 'PATCH', `/api/organizations/${id}/members/${admin.userId}`, {
      key: owner.key,
      body: { role: 'member' },
    });
    expect(demoted.status).toBe(200);
    expect(await webhooks()).toEqual([403, 'permission_denied']);
  });

  it('let the key act on members of the roles alone that it may give', async () => {
    const { id: orgId } = await makeOrg(app.db);
    const owner = await makeCaller(app.db, orgId, 'owner');
    const scopes = ['change_user_role:member'];
    const { key } = await makeKey(app.db, owner.userId, { orgId, scopes });
    const answers = [];
    for (const role of ['owner', 'admin', 'member'] as const) {
      const { id } = await makeMember(app.db, orgId, role);
      const path = `/api/organizations/${orgId}/members/${id}`;
      const changed = await call<Partial<ErrorBody>>(app, 'PATCH', path, { key, body: { role: 'member' } });
      const removed = await call<Partial<ErrorBody>>(app, 'DELETE', path, { key });
      answers.push([changed, removed].map(({ status, body }) => body.code ?? status));
    }
    const refused = ['rank_too_low', 'rank_too_low'];
    expect(answers).toEqual([refused, refused, [200, 200]]);
  });

  it('show the key no link of an invitation that it could not make', async () => {
    const { id: orgId } = await makeOrg(app.db);
    const owner = await makeCaller(app.db, orgId, 'owner');
    const { key } = await makeKey(app.db, owner.userId, { orgId, scopes: ['invite_user_to_organization'] });
    const path = `/api/organizations/${orgId}/members/invite`;
    for (const role of ['owner', 'admin', 'member'])
      await call(app, 'POST', path, { key: owner.key, body: { emails: [`${role}@example.com`], role } });
    const { body } = await call<{ items: { role: string; invite_url: string | null }[] }>(app, 'GET', path, {
      key,
    });
    expect(body.items.map(({ role, invite_url }) => [role, invite_url !== null])).toEqual([
      ['member', true],
      ['admin', false],
      ['owner', false],
    ]);
  });

  it('are those of the key that makes another, unless it names fewer', async () => {
    const { userId } = await newCaller();
    const { key } = await makeKey(app.db, userId, { scopes: ['manage_api_keys', 'use_conversations'] });
    expect((await create(key, {})).body.scopes).toEqual(['manage_api_keys', 'use_conversations']);
    expect((await create(key, { scopes: ['use_conversations'] })).body.scopes).toEqual(['use_conversations']);
    for (const scopes of [null, ['use_conversations', 'manage_webhooks']])
      expect(await create(key, { scopes })).toMatchObject({
        status: 403,
        body: { code: 'key_exceeds_maker' },
      });
  });
});

describe('ranges of addresses', () => {
  it('are shown in canonical form', async () => {
    const { key } = await newCaller();
    const { body } = await create(key, {
      address_ranges: ['203.0.113.7', '2001:DB8::/32', '::ffff:10.0.0.0/104'],
    });
    expect(body.address_ranges).toEqual(['203.0.113.7/32', '2001:db8::/32', '10.0.0.0/8']);
  });

  it('are addresses, at least one and at most 100', async () => {
    const { key } = await newCaller();
    for (const address_ranges of [[], Array(101).fill('10.0.0.0/8'), [10], '10.0.0.0/8'])
      expect((await create(key, { address_ranges })).status).toBe(422);
    for (const text of ['10.0.0.0/33', '::/200', '10.0.0.1/8', '', 'example.com'])
      expect(await create(key, { address_ranges: ['10.0.0.0/8', text] })).toMatchObject({
        status: 400,
        body: { code: 'address_range_invalid' },
      });
  });

  it('are those of the key that makes another, unless it names narrower ones', async () => {
    const { userId } = await newCaller();
    const { key } = await makeKey(app.db, userId, { addressRanges: ['203.0.113.0/24'] });
    expect((await create(key, {})).body.address_ranges).toEqual(['203.0.113.0/24']);
    expect((await create(key, { address_ranges: [HOME] })).body.address_ranges).toEqual([`${HOME}/32`]);
    for (const address_ranges of [null, ['203.0.0.0/16'], [HOME, ELSEWHERE]])
      expect(await create(key, { address_ranges })).toMatchObject({
        status: 403,
        body: { code: 'key_exceeds_maker' },
      });
  });

  it('are asked at each request, of the address that the trusted proxies tell', async () => {
    const { key } = await newCaller();
    const { body } = await create(key, { address_ranges: ['203.0.113.0/24'] });
    for (const again of [1, 2]) {
      expect([again, await current(body.key)]).toEqual([again, OK]);
      expect([again, await current(body.key, ELSEWHERE)]).toEqual([again, REFUSED]);
      expect([again, await current(body.key, `${HOME}, ${ELSEWHERE}`)]).toEqual([again, REFUSED]);
      expect([again, await current(body.key, 'nowhere')]).toEqual([again, REFUSED]);
    }
  });

  it('hold for a session of the key', async () => {
    const { userId } = await newCaller();
    const { key } = await makeKey(app.db, userId, { addressRanges: [`${HOME}/32`, '127.0.0.0/8'] });
    const { key: anywhere } = await makeKey(app.db, userId);
    const [bound, free] = [await startSession(app, key, HOME), await startSession(app, anywhere)];
    const check = async (Cookie: string, address: string) =>
      (
        await call(app, 'POST', '/api/authenticate', {
          headers: { Cookie, ...FROM_OWN_PAGE, ...from(address) },
        })
      ).status;
    expect([await check(bound, HOME), await check(bound, ELSEWHERE)]).toEqual([200, 401]);
    expect(await check(free, ELSEWHERE)).toBe(200);
  });

  it('hold for a ticket that was made with the key', async () => {
    const { orgId, userId } = await newCaller();
    const { key } = await makeKey(app.db, userId, { addressRanges: [`${HOME}/32`] });
    const events = `/api/organizations/${orgId}/events`;
    const open = async (address: string) => {
      const { body } = await call<{ ticket: string }>(app, 'POST', `${events}/stream-ticket`, {
        key,
        headers: from(HOME),
      });
      const stream = await StreamReader.open(`${app.url}${events}/stream?ticket=${body.ticket}`, {
        headers: from(address),
      });
      stream.close();
      return stream.status;
    };
    expect([await open(HOME), await open(ELSEWHERE)]).toEqual([200, 401]);
  });

  it('do not make a key fail at home that was tried elsewhere, nor elsewhere beyond the limit', async () => {
    const { userId } = await newCaller();
    const { key } = await makeKey(app.db, userId, { addressRanges: [`${HOME}/32`] });
    const thief = '192.0.2.66';
    for (let tries = 1; tries <= TRIES; tries++) expect(await current(key, thief)).toEqual(REFUSED);
    for (const again of [1, 2])
      expect([again, await current(key, thief)]).toEqual([again, [429, 'too_many_failed_credentials']]);
    // At home, too, somebody guesses keys.
    for (let tries = 0; tries <= TRIES; tries++) await current('ocs_guessed');
    expect(await current(key)).toEqual(OK);
  });
});
