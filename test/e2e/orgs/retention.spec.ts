import { randomUUID } from 'node:crypto';
import { FROM_OWN_PAGE, startSession } from '../../support/web-interface/browser-cookie';
import { RetentionFixture } from '../../support/retention/retention-fixture';
import { makeCaller, makeKey, makeOrg, type TestCaller } from '../../support/service/factories';
import { call, type ErrorBody, type HttpResponse } from '../../support/service/http';

const NOTHING_SET = {
  events_days: null,
  conversations_days: null,
  messages_days: null,
  deliveries_days: null,
  archives_days: null,
};

interface Retention extends Readonly<Record<string, unknown>> {
  readonly updated_at: string | null;
  readonly would_remove: readonly Readonly<Record<string, unknown>>[] | null;
}

let fixture: RetentionFixture;
let path: string;
beforeAll(async () => {
  fixture = await RetentionFixture.start({ env: { RETENTION_ARCHIVES_DAYS: '400', DELIVERED_DAYS: '5' } });
  path = `/api/organizations/${fixture.orgId}/retention`;
});
afterAll(() => fixture.close());

const set = (
  body: unknown,
  query = '',
  caller: Pick<TestCaller, 'key'> = fixture.owner,
): Promise<HttpResponse<Retention & ErrorBody>> =>
  call(fixture.app, 'PUT', path + query, { key: caller.key, body });

const read = async (): Promise<Retention> =>
  (await call<Retention>(fixture.app, 'GET', path, fixture.owner)).body;

describe('how long an organization keeps what', () => {
  it('is what the installation has, until it is set', async () => {
    expect(await read()).toEqual({
      ...NOTHING_SET,
      defaults: { ...NOTHING_SET, messages_days: 5, deliveries_days: 7, archives_days: 400 },
      updated_at: null,
      would_remove: null,
    });
  });

  it('is set as a whole, and told once', async () => {
    const first = await set({ events_days: 30, conversations_days: 36_500 });
    expect(first).toMatchObject({
      status: 200,
      body: { ...NOTHING_SET, events_days: 30, conversations_days: 36_500, would_remove: null },
    });
    expect(first.body.updated_at).not.toBeNull();
    expect(await set({ conversations_days: 36_500, messages_days: 1 })).toMatchObject({
      body: { ...NOTHING_SET, conversations_days: 36_500, messages_days: 1 },
    });
    await set({ conversations_days: 36_500, messages_days: 1 });
    const told = await fixture.happened<{ fields: string[] }>('settings.updated');
    expect(told.map(({ fields }) => fields.sort())).toEqual([
      ['retention.conversations_days', 'retention.events_days'],
      ['retention.events_days', 'retention.messages_days'],
    ]);
    expect(await read()).toMatchObject({ conversations_days: 36_500, messages_days: 1 });
    expect(await set({})).toMatchObject({ status: 200, body: NOTHING_SET });
  });

  it.each([
    [{ events_days: 0 }],
    [{ events_days: -1 }],
    [{ conversations_days: 36_501 }],
    [{ conversations_days: 1e300 }],
    [{ messages_days: 1.5 }],
    [{ messages_days: 'a week' }],
    [{ archives_days: [] }],
    [{ archive_days: 30 }],
    [[]],
    ['30'],
    [null],
  ])('is not set to %j', async (body) => {
    const before = await read();
    expect(await set(body)).toMatchObject({ status: 422 });
    expect(await read()).toEqual(before);
  });

  it.each(['?dry_run=perhaps', '?dry_run=', '?dry_run=2'])('is not set with %s', async (query) => {
    expect(await set({ events_days: 3 }, query)).toMatchObject({ status: 422 });
    expect(await read()).toMatchObject(NOTHING_SET);
  });

  it('is read by admins and owners, and set by owners', async () => {
    const roles = ['member', 'admin', 'owner'] as const;
    const [member, admin, owner] = await Promise.all(
      roles.map((role) => makeCaller(fixture.db, fixture.orgId, role)),
    );
    const stranger = await makeCaller(fixture.db, (await makeOrg(fixture.db)).id, 'owner');
    const may = async (caller: TestCaller): Promise<number[]> => [
      (await call(fixture.app, 'GET', path, caller)).status,
      (await set({ events_days: 20 }, '', caller)).status,
      (await set({ events_days: 20 }, '?dry_run=true', caller)).status,
    ];
    expect(await may(member!)).toEqual([403, 403, 403]);
    expect(await may(admin!)).toEqual([200, 403, 403]);
    expect(await may(stranger)).toEqual([403, 403, 403]);
    expect(await may(owner!)).toEqual([200, 200, 200]);
    const scoped = await makeKey(fixture.db, owner!.userId, { scopes: ['view_retention'] });
    expect((await call(fixture.app, 'GET', path, scoped)).status).toBe(200);
    expect((await set({}, '', scoped)).status).toBe(403);
    expect((await call(fixture.app, 'GET', path, {})).status).toBe(401);
    const other = `/api/organizations/${randomUUID()}/retention`;
    expect((await call(fixture.app, 'GET', other, fixture.owner)).status).toBe(403);
    expect((await set({})).status).toBe(200);
  });

  it('is set by a browser only for an hour after its person signed in', async () => {
    const Cookie = await startSession(fixture.app, fixture.owner.key);
    await fixture.db.query(`UPDATE browser_sessions SET created_at = now() - interval '2 hours'`);
    const headers = { Cookie, ...FROM_OWN_PAGE };
    expect(await call(fixture.app, 'PUT', path, { headers, body: {} })).toMatchObject({
      status: 403,
      body: { code: 'sign_in_again' },
    });
    expect((await call(fixture.app, 'GET', path, { headers })).status).toBe(200);
  });
});

describe('a dry run', () => {
  it('says what would go with what was sent, and changes nothing', async () => {
    const other = await fixture.another();
    await other.store({ days: 50, events: 4, messages: ['delivered'] });
    await other.store({ days: 90, events: 2, messages: ['delivered', 'queued'] });
    await other.store({ days: 3, events: 8, messages: ['failed'] });
    const root = await other.store({ days: 70, sandbox: null });
    await other.store({ days: 60, parent: root, sandbox: null });
    const path = `/api/organizations/${other.orgId}/retention`;
    const body = { events_days: 30, conversations_days: 60, messages_days: 2, archives_days: 40 };
    const before = await other.db.query<object[]>('SELECT count(*) FROM events');
    const tried = await call<Retention>(fixture.app, 'PUT', `${path}?dry_run=true`, { ...other.owner, body });
    expect(tried.status).toBe(200);
    expect(tried.body).toMatchObject({ ...body, updated_at: null });
    const found: Readonly<Record<string, Readonly<Record<string, unknown>>>> = Object.fromEntries(
      (tried.body.would_remove ?? []).map((each) => [String(each.what), each]),
    );
    expect(found).toMatchObject({
      events: { days: 30, items: 4, bytes: 400, is_complete: true },
      // Of the family one is active for 60 days, and a second less.
      conversations: { days: 60, items: 2 },
      messages: { days: 2, items: 3, not_before: null },
      deliveries: { days: 7, items: 0, bytes: 0, oldest_at: null, newest_at: null },
      archives: { days: 40, items: 1, bytes: null },
    });
    const inAWeek = Date.now() + 7 * 86_400_000;
    expect(Date.parse(String(found.events?.not_before))).toBeGreaterThan(inAWeek - 60_000);
    expect(Date.parse(String(found.events?.oldest_at))).toBeLessThan(Date.now() - 49 * 86_400_000);
    expect(await other.db.query('SELECT count(*) FROM events')).toEqual(before);
    expect((await call<Retention>(fixture.app, 'GET', path, other.owner)).body).toMatchObject(NOTHING_SET);
    expect(await other.happened('settings.updated')).toEqual([]);
  });

  it('says what a run then removes', async () => {
    const other = await fixture.another();
    for (const days of [40, 50, 60]) await other.store({ days, events: 5, messages: ['delivered'] });
    const path = `/api/organizations/${other.orgId}/retention`;
    const body = { events_days: 45, messages_days: 55 };
    const { would_remove } = (
      await call<Retention>(fixture.app, 'PUT', `${path}?dry_run=true`, { ...other.owner, body })
    ).body;
    const said = (would_remove ?? []).filter(({ items }) => Number(items) > 0);
    await other.keep(body);
    const first = await other.run();
    await other.weekLater();
    const second = await other.run();
    const removed = { ...first.removed, ...second.removed };
    expect(Object.fromEntries(said.map(({ what, items, bytes }) => [what, { items, bytes }]))).toEqual(
      removed,
    );
  });
});
