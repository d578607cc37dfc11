import { createHash } from 'node:crypto';
import { marksIn, rowsWith, everyRow, type EveryRow } from '../../support/database/every-row';
import { eventually } from '../../support/eventually';
import { everythingIn, foldCounters } from '../../support/orgs/everything';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeKey, makeOrg, makeUser, type TestCaller } from '../../support/service/factories';
import { call, type ErrorBody } from '../../support/service/http';
import { runJob } from '../../support/service/run-job';

/** Tables that have nothing of an organization, and why. */
const OF_NONE: Readonly<Record<string, string>> = {
  model_call_processes: 'of the replicas',
  schema_compatibility: 'of the build',
  schema_migrations: 'of the build',
  sandbox_hosts: 'of the installation',
  sandbox_installation: 'of the installation',
  sandbox_leftovers: 'what a host that is away has to remove when it returns',
  secret_check: 'of the installation',
  spent_tokens: 'digests of what no provider sends again, for a while',
  worker_heartbeats: 'of the replicas',
  write_check: 'of the installation',
  'graphile_worker._private_job_queues': 'names of servers',
  'graphile_worker._private_known_crontabs': 'of the build',
  'graphile_worker._private_tasks': 'of the build',
  'graphile_worker.migrations': 'of the build',
};

/** What requests write whoever sends them. */
const WRITTEN_ANYWAY = [
  'request_counts',
  'worker_heartbeats',
  'write_check',
  'sandbox_hosts',
  'graphile_worker._private_tasks',
];

const END = 'organization-end';
const WORD = 'Quokka';

function comparable(rows: EveryRow): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries([...rows].filter(([table]) => !WRITTEN_ANYWAY.includes(table)));
}

/** Without limits no requests are counted, a second after they are answered. */
const UNCOUNTED = Object.fromEntries(
  ['READ', 'SEND', 'LIFECYCLE', 'WEBHOOK'].map((kind) => [`${kind}_CALLS_PER_MINUTE`, '0']),
);

let app: TestApp;
beforeAll(async () => (app = await startTestApp({ env: { APP_ROLE: 'api', ...UNCOUNTED } })));
afterAll(() => app.close());

/** Deletes an organization. */
function remove({ orgId, key }: Pick<TestCaller, 'orgId' | 'key'>, confirm: string) {
  return call<ErrorBody>(
    app,
    'DELETE',
    `/api/organizations/${orgId}?confirm=${encodeURIComponent(confirm)}`,
    {
      key,
    },
  );
}

describe('an organization that has everything', () => {
  let before: EveryRow;
  let full: EveryRow;
  let after: EveryRow;
  let orgId: string;
  let marks: string[];
  let waiting: unknown;
  beforeAll(async () => {
    const member = await makeUser(app.db);
    const other = await everythingIn(app, member, 'Wombat');
    await app.db.query('UPDATE users SET current_org_id = $1 WHERE id = $2', [other.orgId, member.id]);
    await foldCounters(app);
    // That a key was used is written a moment later.
    const { keyId } = other.owner;
    const unused = () => app.db.query('SELECT FROM api_keys WHERE id = $1 AND last_used_at IS NULL', [keyId]);
    await eventually(async () => expect(await unused()).toEqual([]));
    before = await everyRow(app.database.url);
    const tenant = await everythingIn(app, member, WORD);
    ({ orgId } = tenant);
    full = await everyRow(app.database.url);
    const known = marksIn(before);
    marks = [WORD, WORD.toLowerCase(), WORD.toUpperCase()];
    marks.push(...[...marksIn(full)].filter((mark) => !known.has(mark)));
    expect(await remove(tenant.owner, `${WORD} and sons`)).toMatchObject({
      status: 202,
      body: { org_id: orgId },
    });
    await runJob(app.app, END, { orgId, isRemoved: false });
    waiting = await app.db.query('SELECT name FROM organizations WHERE id = $1', [orgId]);
    await app.db.query(`UPDATE organizations SET ending_at = ending_at - interval '1 day' WHERE id = $1`, [
      orgId,
    ]);
    await runJob(app.app, END, { orgId, isRemoved: false });
    // As a replica tells that counts for all of them.
    await app.db.query(`INSERT INTO request_counts VALUES ('reads', $1, 1, now() + interval '1 minute')`, [
      `user ${tenant.owner.userId}`,
    ]);
    await runJob(app.app, END, { orgId, isRemoved: true });
    after = await everyRow(app.database.url);
  });

  it('has rows in every table in which one can have any', () => {
    const found = rowsWith(full, marks);
    const missing = [...full.keys()].filter((table) => !found.has(table) && !(table in OF_NONE));
    expect(missing).toEqual([]);
  });

  it('is there until agent servers that others share were told of its conversations, for a day at most', () => {
    expect(waiting).toEqual([{ name: `${WORD} and sons` }]);
  });

  it('leaves none of its ids, addresses, digests and texts in any column of any table', () => {
    expect(Object.fromEntries(rowsWith(after, marks))).toEqual({});
  });

  it('leaves all else as it was, but for one row in the log of the installation that has a digest of its id', () => {
    const { domain_events: events = [], ...rest } = comparable(after);
    const { domain_events: eventsBefore = [], ...restBefore } = comparable(before);
    expect(rest).toEqual(restBefore);
    const added = events.filter((row) => !eventsBefore.includes(row));
    expect(events).toHaveLength(eventsBefore.length + 1);
    expect(added.join('')).toContain('organization.deleted');
    expect(added.join('')).toContain(createHash('sha256').update(orgId).digest('hex'));
  });
});

describe('whoever deletes an organization', () => {
  let owner: TestCaller;
  let path: string;
  const NAME = 'Tools team';
  beforeEach(async () => {
    const { id } = await makeOrg(app.db, { name: NAME });
    owner = await makeCaller(app.db, id, 'owner');
    path = `/api/organizations/${id}`;
  });
  it.each(['member', 'admin'] as const)('is its owner: %s may not', async (role) => {
    const caller = await makeCaller(app.db, owner.orgId, role);
    expect(await remove(caller, NAME)).toMatchObject({ status: 403, body: { code: 'permission_denied' } });
    expect(await call(app, 'GET', path, { key: owner.key })).toMatchObject({ status: 200 });
  });

  it('says its name, as it is now', async () => {
    expect(await remove(owner, 'tools team')).toMatchObject({
      status: 400,
      body: { code: 'confirmation_mismatch' },
    });
    expect(await call(app, 'DELETE', path, { key: owner.key })).toMatchObject({ status: 422 });
    expect(await call(app, 'GET', path, { key: owner.key })).toMatchObject({ status: 200 });
  });

  it('uses a key that can do that', async () => {
    const { key } = await makeKey(app.db, owner.userId, { scopes: ['view_org_settings'] });
    expect(await remove({ ...owner, key }, NAME)).toMatchObject({
      status: 403,
      body: { code: 'key_scope_missing' },
    });
    const able = await makeKey(app.db, owner.userId, { scopes: ['delete_organization'] });
    expect(await remove({ ...owner, key: able.key }, NAME)).toMatchObject({ status: 202 });
  });

  it('may not while something of it is held', async () => {
    const body = { user_id: owner.userId, reason: 'A case' };
    const hold = await call<{ id: string }>(app, 'POST', `${path}/legal-holds`, { key: owner.key, body });
    expect(hold.status).toBe(201);
    expect(await remove(owner, NAME)).toMatchObject({ status: 409, body: { code: 'legal_hold' } });
    expect(await call(app, 'GET', path, { key: owner.key })).toMatchObject({ status: 200 });
    await call(app, 'DELETE', `${path}/legal-holds/${hold.body.id}`, { key: owner.key });
    expect(await remove(owner, NAME)).toMatchObject({ status: 202 });
  });

  it('is no member from then on, as all the others, and so cannot ask again', async () => {
    const member = await makeCaller(app.db, owner.orgId, 'admin');
    const { key } = await makeKey(app.db, owner.userId, { orgId: owner.orgId });
    expect(await remove(owner, NAME)).toMatchObject({ status: 202 });
    for (const each of [owner.key, member.key])
      expect(await call(app, 'GET', path, { key: each })).toMatchObject({
        status: 403,
        body: { code: 'not_a_member' },
      });
    expect(await remove(owner, NAME)).toMatchObject({ status: 403, body: { code: 'not_a_member' } });
    expect(await call(app, 'GET', '/api/keys/current', { key })).toMatchObject({ status: 401 });
  });

  it('nobody becomes a member any more, by whatever build', async () => {
    const { id: userId } = await makeUser(app.db);
    await remove(owner, NAME);
    for (const sql of [
      `INSERT INTO org_members (org_id, user_id, role) VALUES ($1, $2, 'owner')`,
      `INSERT INTO conversations (id, org_id, created_by_user_id) VALUES (gen_random_uuid(), $1, $2)`,
      `INSERT INTO sandboxes (id, org_id, created_by_user_id, driver, status, last_activity_at)
       VALUES (gen_random_uuid(), $1, $2, 'embedded', 'PAUSED', now())`,
    ])
      await expect(app.db.query(sql, [owner.orgId, userId])).rejects.toThrow(
        'the organization is being deleted',
      );
  });

  it('keeps their account, without that organization', async () => {
    await remove(owner, NAME);
    await runJob(app.app, END, { orgId: owner.orgId, isRemoved: false });
    expect(await call(app, 'GET', '/api/organizations', { key: owner.key })).toMatchObject({
      status: 200,
      body: { items: [], current_org_id: null },
    });
  });

  it('whose account goes as well is still no operator in the log', async () => {
    await app.db.query('UPDATE users SET confined_to_org_id = $1 WHERE id = $2', [owner.orgId, owner.userId]);
    await remove(owner, NAME);
    await runJob(app.app, END, { orgId: owner.orgId, isRemoved: false });
    const rows = await app.db.query<object[]>(
      `SELECT event -> 'actor' AS actor FROM domain_events
        WHERE event ->> 'action' = 'organization.deleted' AND event -> 'target' ->> 'id' = $1`,
      [createHash('sha256').update(owner.orgId).digest('hex')],
    );
    expect(rows).toMatchObject([{ actor: { kind: 'user', user_id: null } }]);
  });

  it('of two at once, one begins it', async () => {
    const other = await makeCaller(app.db, owner.orgId, 'owner');
    const both = await Promise.all([remove(owner, NAME), remove(other, NAME)]);
    expect(both.map(({ status }) => status).sort()).toEqual([202, 403]);
  });
});
