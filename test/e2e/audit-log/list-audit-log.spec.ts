import { randomUUID } from 'node:crypto';
import type { AuditLogEntry, OcsfEvent } from '../../../src/accounts/audit-log/reading/audit-log.dto';
import { type AuditRowFields, storeAuditRows } from '../../support/audit-log/audit-rows';
import { fill } from '../../support/database/fill';
import { eventually } from '../../support/eventually';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeKey, makeOrg, type TestCaller } from '../../support/service/factories';
import { call, type ErrorBody } from '../../support/service/http';

let app: TestApp;
let admin: TestCaller;
/** Of another organization. */
let stranger: TestCaller;
beforeAll(async () => {
  app = await startTestApp({ env: { APP_ROLE: 'api' } });
  admin = await makeCaller(app.db, (await makeOrg(app.db)).id, 'admin');
  stranger = await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner');
});
afterAll(() => app.close());
afterEach(() => app.db.query('DELETE FROM audit_log'));

interface Page<Item = AuditLogEntry> extends ErrorBody {
  readonly items: readonly Item[];
  readonly next_page_id: string | null;
}

const pathOf = ({ orgId }: TestCaller, query = '') => `/api/organizations/${orgId}/audit-log${query}`;
const read = <Item = AuditLogEntry>(query = '', caller = admin) =>
  call<Page<Item>>(app, 'GET', pathOf(caller, query), { key: caller.key });
const store = (...rows: readonly AuditRowFields[]) => storeAuditRows(app.db, admin.orgId, rows);
const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 9, minute)).toISOString();
const byUser = (userId: string): AuditRowFields => ({
  actor: { kind: 'user', user_id: userId, key_prefix: 'sk-oh-1', session: false },
});

/** Which rows were answered, by their minutes. */
const minutes = ({ items }: Page) => items.map((row) => new Date(row.at).getUTCMinutes());

describe('GET /api/organizations/{org_id}/audit-log', () => {
  it('has the whole row, with what the user is called and where the call came from', async () => {
    const entry_id = randomUUID();
    const changes = [
      { table: 'org_members', id: admin.userId, before: { role: 'member' }, after: { role: 'admin' } },
    ];
    const target = { type: 'user', id: admin.userId };
    const [position] = await store({ ...byUser(admin.userId), entry_id, target, changes, request_id: 'r-1' });
    const { status, body } = await read();
    expect(status).toBe(200);
    expect(body).toEqual({
      items: [
        {
          position,
          id: entry_id,
          org_id: admin.orgId,
          at: at(30),
          actor: {
            kind: 'user',
            user_id: admin.userId,
            key_prefix: 'sk-oh-1',
            session: false,
            name: null,
            email: admin.email,
          },
          action: 'changeMemberRole',
          target,
          changes,
          changes_dropped: false,
          outcome: 'success',
          status: 200,
          code: null,
          request_id: 'r-1',
          personal: { address: '203.0.113.7', user_agent: 'a browser' },
          personal_digest: null,
          hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
        },
      ],
      next_page_id: null,
    });
  });

  it('says nothing of a person who was erased', async () => {
    await store({ ...byUser(randomUUID()), personal: null });
    const [row] = (await read()).body.items;
    expect(row).toMatchObject({ personal: null, actor: { name: null, email: null } });
  });

  it('answers pages, the newest row first', async () => {
    await store(...[3, 1, 2, 4, 5].map((minute) => ({ at: at(minute) })));
    const first = await read('?limit=2');
    expect(minutes(first.body)).toEqual([5, 4]);
    const second = await read(`?limit=2&page_id=${first.body.next_page_id}`);
    expect(minutes(second.body)).toEqual([3, 2]);
    const last = await read(`?limit=2&page_id=${second.body.next_page_id}`);
    expect([minutes(last.body), last.body.next_page_id]).toEqual([[1], null]);
  });

  it('answers what was written behind a position, in that order, and misses nothing that comes later', async () => {
    const positions = await store(...[5, 1, 2].map((minute) => ({ at: at(minute) })));
    const first = await read('?after=0&limit=2');
    expect(minutes(first.body)).toEqual([5, 1]);
    // Happened long ago, and was written just now.
    await store({ at: at(0) });
    const second = await read(`?after=0&limit=2&page_id=${first.body.next_page_id}`);
    expect([minutes(second.body), second.body.next_page_id]).toEqual([[2, 0], null]);
    expect(minutes((await read(`?after=${positions[1]}`)).body)).toEqual([2, 0]);
    expect((await read(`?after=${Number.MAX_SAFE_INTEGER}`)).body.items).toEqual([]);
  });

  it.each([
    ['since', () => `since=${at(3)}`, [4, 3]],
    ['until', () => `until=${at(3)}`, [2, 1]],
    ['since and until', () => `since=${at(2)}&until=${at(4)}`, [3, 2]],
    ['until before since', () => `since=${at(4)}&until=${at(2)}`, []],
    ['actor', () => `actor=${admin.userId}`, [4, 1]],
    ['action', () => 'action=createWebhook', [3, 1]],
    ['target', () => 'target=w-1', [2, 1]],
    ['outcome', () => 'outcome=refused', [4, 2]],
    [
      'all of them',
      () =>
        `since=${at(1)}&until=${at(2)}&actor=${admin.userId}&action=createWebhook&target=w-1&outcome=success`,
      [1],
    ],
    ['two that nothing has both of', () => 'action=createWebhook&outcome=refused', []],
    ['a text that no row can have', () => 'action=%00', []],
  ])('filters by %s', async (_, query, expected) => {
    const target = { type: 'webhook', id: 'w-1' };
    await store(
      { at: at(1), ...byUser(admin.userId), action: 'createWebhook', target },
      { at: at(2), target, outcome: 'refused', status: 403, code: 'permission_denied' },
      { at: at(3), action: 'createWebhook', outcome: 'failed', status: 409 },
      { at: at(4), ...byUser(admin.userId), outcome: 'refused', status: 429 },
    );
    expect(minutes((await read(`?${query()}`)).body)).toEqual(expected);
    // The same rows behind a position, the other way round.
    expect(minutes((await read(`?after=0&${query()}`)).body)).toEqual(expected.toReversed());
  });

  it('answers OCSF events for format=ocsf', async () => {
    const [position] = await store({
      ...byUser(admin.userId),
      target: { type: 'user', id: stranger.userId },
    });
    const { body } = await read<OcsfEvent>('?format=ocsf');
    expect(body.items).toMatchObject([
      {
        class_uid: 3005,
        activity_id: 1,
        type_uid: 300501,
        time: Date.parse(at(30)),
        status_id: 1,
        metadata: { version: '1.5.0', sequence: position, tenant_uid: admin.orgId },
        actor: { user: { uid: admin.userId, email_addr: admin.email } },
        user: { uid: stranger.userId },
        src_endpoint: { ip: '203.0.113.7' },
      },
    ]);
  });

  it.each([
    ['since=yesterday', 'since'],
    ['until=2026-13-01', 'until'],
    ['actor=me', 'actor'],
    ['outcome=fine', 'outcome'],
    ['format=cef', 'format'],
    ['limit=0', 'limit'],
    ['after=-1', 'after'],
    ['after=1e30', 'after'],
    [`action=${'x'.repeat(501)}`, 'action'],
    [`target=${'x'.repeat(501)}`, 'target'],
  ])('refuses %s', async (query, field) => {
    const { status, body } = await read(`?${query}`);
    expect([status, body.detail]).toMatchObject([422, [{ loc: ['query', field] }]]);
  });

  it('refuses the page of another organization, of other filters, and of another order', async () => {
    await store({}, {});
    await storeAuditRows(app.db, stranger.orgId, [{}, {}]);
    const { next_page_id } = (await read('?limit=1')).body;
    expect(next_page_id).not.toBeNull();
    const refused = await Promise.all([
      read(`?page_id=${next_page_id}`, stranger),
      read(`?outcome=success&page_id=${next_page_id}`),
      read(`?after=0&page_id=${next_page_id}`),
    ]);
    for (const { status, body } of refused) expect([status, body.code]).toEqual([400, 'page_id_invalid']);
  });

  it('is of one organization alone', async () => {
    await store({ at: at(1) });
    await storeAuditRows(app.db, stranger.orgId, [{ at: at(2) }]);
    await storeAuditRows(app.db, null, [{ at: at(3) }]);
    expect(minutes((await read()).body)).toEqual([1]);
    expect(minutes((await read('', stranger)).body)).toEqual([2]);
  });

  it.each(['', '/export'])('is for those who may view it, and for no others: …/audit-log%s', async (path) => {
    await store({});
    const url = pathOf(admin, path);
    const member = await makeCaller(app.db, admin.orgId);
    const scoped = (scope: string) => makeKey(app.db, admin.userId, { orgId: admin.orgId, scopes: [scope] });
    const asked = async (key?: string) => {
      const { status, body } = await call<ErrorBody | null>(
        app,
        'GET',
        url,
        key === undefined ? {} : { key },
      );
      return [status, status === 200 ? null : body?.code];
    };
    expect(await asked(admin.key)).toEqual([200, null]);
    expect(await asked((await scoped('view_audit_log')).key)).toEqual([200, null]);
    expect(await asked((await scoped('view_org_conversations')).key)).toEqual([403, 'key_scope_missing']);
    expect(await asked(member.key)).toEqual([403, 'permission_denied']);
    expect(await asked(stranger.key)).toEqual([403, 'not_a_member']);
    expect(await asked()).toEqual([401, 'not_authenticated']);
  });
});

describe('GET /api/organizations/{org_id}/audit-log/export', () => {
  const exported = (query = '') =>
    call<string>(app, 'GET', pathOf(admin, `/export${query}`), { key: admin.key });

  it('is CSV, the oldest row first, in which a spreadsheet computes nothing', async () => {
    const personal = { address: '203.0.113.7', user_agent: '=HYPERLINK("http://x")' };
    await store({ at: at(2), ...byUser(admin.userId), personal }, { at: at(1), personal: null });
    const { headers, body } = await exported();
    expect(headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
    expect(headers['content-disposition']).toBe('attachment; filename="audit-log.csv"');
    const [names = '', older = '', newer = '', ...rest] = body.split('\r\n');
    expect(names).toBe(
      'position,id,org_id,at,actor_kind,actor_user_id,actor_name,actor_email,actor_key_prefix,actor_session,action,target_type,target_id,outcome,status,code,request_id,address,user_agent,changes,changes_dropped,personal_digest,hash',
    );
    expect(older).toContain(`,${at(1)},unknown,,,,,false,changeMemberRole,`);
    expect(newer).toContain(`,"'=HYPERLINK(""http://x"")",`);
    expect(rest).toEqual(['']);
  });

  it('is JSON Lines, of more rows than are read at once, each once', async () => {
    const [first = 0] = await store({ at: at(1) });
    await app.db.query(
      `INSERT INTO audit_log (position, org_id, id, at, actor_kind, action, outcome, entry, hash)
       SELECT nextval('domain_event_positions'), org_id, gen_random_uuid(), at + (n % 7) * interval '1 second',
              actor_kind, action, outcome, entry, hash
         FROM audit_log, generate_series(1, 2499) n WHERE position = $1`,
      [first],
    );
    const { headers, body } = await exported('?format=jsonl');
    expect(headers['content-type']).toBe('application/jsonl; charset=utf-8');
    const rows = body
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as AuditLogEntry);
    expect(new Set(rows.map(({ position }) => position)).size).toBe(2_500);
    expect(rows).toHaveLength(2_500);
  });

  it('is OCSF, a line for each event, with the filters of the list', async () => {
    await store({ at: at(1) }, { at: at(2), outcome: 'refused', status: 403 });
    const { body } = await exported('?format=ocsf&outcome=refused');
    expect(JSON.parse(body)).toMatchObject({ class_uid: 3005, status_id: 2, time: Date.parse(at(2)) });
  });

  it('is itself a row', async () => {
    await exported('?format=jsonl');
    const rows = () =>
      app.db.query<object[]>(
        `SELECT event->'actor'->>'user_id' AS by, event->>'outcome' AS outcome FROM domain_events
          WHERE org_id = $1 AND kind = 'audit.recorded' AND event->>'action' = 'exportAuditLog'
            AND event->>'status' = '200'`,
        [admin.orgId],
      );
    await eventually(async () =>
      expect(await rows()).toEqual(
        expect.arrayContaining([{ by: admin.userId, outcome: 'success' }]) as object[],
      ),
    );
  });

  it('is written twice at once for a user, who may not read on', async () => {
    const [first = 0] = await store({ at: at(1) });
    await fill(
      app.database,
      `INSERT INTO audit_log (position, org_id, id, at, actor_kind, action, outcome, entry, hash)
       SELECT nextval('domain_event_positions'), org_id, gen_random_uuid(), at, actor_kind, action, outcome, entry, hash
         FROM audit_log, generate_series(1, 30000) WHERE position = $1`,
      [first],
    );
    const begin = () =>
      fetch(`${app.url}${pathOf(admin, '/export?format=jsonl')}`, {
        headers: { 'X-Access-Token': admin.key },
      });
    const begun = [await begin(), await begin()];
    expect(begun.map(({ status }) => status)).toEqual([200, 200]);
    expect(await call(app, 'GET', pathOf(admin, '/export'), { key: admin.key })).toMatchObject({
      status: 429,
      body: { code: 'too_many_downloads' },
    });
    for (const { body } of begun) await body?.cancel();
    await eventually(async () => expect((await exported('?outcome=refused')).body).toContain('position'));
  });

  it('of nothing is a header, or nothing', async () => {
    expect((await exported()).body.split('\r\n')).toHaveLength(2);
    expect((await exported('?format=jsonl')).body).toBeNull();
  });

  it.each(['format=xml', 'format=rows', 'since=x', 'actor=me'])('refuses %s', async (query) => {
    expect((await exported(`?${query}`)).status).toBe(422);
  });
});
