import { answerWithin } from '../../support/awake-clock';
import { eventually } from '../../support/eventually';
import { TestSocket } from '../../support/sandbox-access/door-calls';
import { DoorService } from '../../support/sandbox-access/door-service';
import { startTestApp, type TestApp } from '../../support/service/app';
import {
  makeCaller,
  makeKey,
  makeMember,
  makeOrg,
  makeUser,
  type TestCaller,
} from '../../support/service/factories';
import { call, type ErrorBody } from '../../support/service/http';
import { letIn } from '../../support/sign-in/link-credentials';
import { StreamReader } from '../../support/streams/stream-reader';

const DAY_MS = 24 * 3_600_000;
const NONE = {
  longest_key_days: null,
  expiry_required: false,
  scopes_required: false,
  key_makers: 'member',
  keys_beside_provider: false,
};

let door: DoorService;
let app: TestApp;
let replica: TestApp;
let owner: TestCaller;
beforeAll(async () => {
  door = await DoorService.start();
  ({ app } = door);
  replica = await startTestApp({ env: { APP_ROLE: 'api' }, database: app.database });
});
afterAll(async () => {
  await replica.close();
  await door.close();
});
beforeEach(async () => (owner = await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner')));

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);
const path = () => `/api/organizations/${owner.orgId}/credential-rules`;
const set = (body: unknown, key = owner.key) => call<ErrorBody>(app, 'PUT', path(), { key, body });
const force = (rules: object) => set({ ...rules, force: true });
const read = async (key = owner.key) => (await call(app, 'GET', path(), { key })).body;
const use = async (key: string, orgId = owner.orgId, at = app) => {
  const { status, body } = await call<Partial<ErrorBody>>(at, 'GET', `/api/organizations/${orgId}`, { key });
  return status === 200 ? 200 : body.code;
};
const create = async (key: string, body: object) => {
  const answer = await call<ErrorBody>(app, 'POST', '/api/keys', { key, body });
  return answer.status === 200 ? 200 : [answer.body.code, answer.body.detail];
};
const NOT_ACCEPTED = 'credential_not_accepted';

describe('the rules for keys of an organization', () => {
  it('are none at first, are replaced as a whole, and can be none again', async () => {
    expect(await read()).toEqual({ ...NONE, updated_at: null });
    const rules = { key_makers: 'admin', keys_beside_provider: true };
    const { status, body } = await set({ ...rules, longest_key_days: 90 });
    expect([status, body]).toEqual([200, await read()]);
    expect(body).toEqual({
      ...NONE,
      ...rules,
      longest_key_days: 90,
      updated_at: expect.any(String) as unknown,
    });
    await set(rules);
    expect(await read()).toMatchObject({ ...NONE, ...rules });
    await set({});
    expect(await read()).toMatchObject(NONE);
  });

  it('are read by members, and set by admins and owners', async () => {
    const [admin, member] = [
      await makeCaller(app.db, owner.orgId, 'admin'),
      await makeCaller(app.db, owner.orgId),
    ];
    expect(await read(member.key)).toEqual({ ...NONE, updated_at: null });
    expect((await set({}, member.key)).body.code).toBe('permission_denied');
    expect((await set({ expiry_required: false }, admin.key)).status).toBe(200);
    expect(
      (await set({}, (await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner')).key)).body.code,
    ).toBe('not_a_member');
  });

  it.each([
    { longest_key_days: 0 },
    { longest_key_days: 3_661 },
    { longest_key_days: 1.5 },
    { expiry_required: 'sometimes' },
    { key_makers: 'auditor' },
    { key_makers: null },
  ])('are not %j', async (rules) => {
    expect((await set(rules)).status).toBe(422);
  });

  it('are told as settings of the organization that changed', async () => {
    await set({ key_makers: 'admin', longest_key_days: 90 });
    await set({ key_makers: 'admin', longest_key_days: 90 });
    const events = await app.db.query<object[]>(`SELECT * FROM domain_events WHERE org_id = $1`, [
      owner.orgId,
    ]);
    expect(events.filter((event) => JSON.stringify(event).includes('settings.updated'))).toHaveLength(1);
    expect(JSON.stringify(events)).toContain('"longest_key_days","key_makers"');
  });

  it('do not shut out the key that sets them, unless it is forced', async () => {
    for (const rules of [{ expiry_required: true }, { scopes_required: true }])
      expect((await set(rules)).body.code).toBe('rules_refuse_own_key');
    expect(await read()).toEqual({ ...NONE, updated_at: null });
    expect((await force({ expiry_required: true })).status).toBe(200);
    expect((await set({})).body.code).toBe(NOT_ACCEPTED);
    const { key } = await makeKey(app.db, owner.userId, { expiresAt: inDays(1) });
    expect((await set({ expiry_required: true }, key)).status).toBe(200);
  });
});

describe('a key that does not meet the rules', () => {
  const old = { createdAt: inDays(-91), expiresAt: inDays(1) };
  it.each([
    ['has no end', { expiry_required: true }, {}, { expiresAt: inDays(400) }],
    ['has no scopes', { scopes_required: true }, {}, { scopes: ['view_org_settings'] }],
    ['is older than it may be', { longest_key_days: 90 }, old, { createdAt: inDays(-89) }],
  ])('%s: it is refused in the organization, and works in others', async (_why, rules, bad, good) => {
    const other = await makeOrg(app.db);
    const user = await makeMember(app.db, owner.orgId, 'admin');
    await makeMember(app.db, other.id, 'member', user);
    const [refused, accepted] = [await makeKey(app.db, user.id, bad), await makeKey(app.db, user.id, good)];
    expect([await use(refused.key), await use(refused.key, owner.orgId, replica)]).toEqual([200, 200]);
    await force(rules);
    expect(await use(refused.key)).toBe(NOT_ACCEPTED);
    const there = () => use(refused.key, owner.orgId, replica);
    expect(await answerWithin(1_000, there, (answer) => answer === NOT_ACCEPTED)).toBe(NOT_ACCEPTED);
    expect([await use(refused.key, other.id), await use(accepted.key)]).toEqual([200, 200]);
    const { body } = await call<ErrorBody>(app, 'GET', '/api/keys/current', { key: refused.key });
    expect(body.code).toBe(NOT_ACCEPTED);
  });

  it('reaches no sandbox through the door, and its streams and WebSockets end', async () => {
    const sandbox = await door.sandbox({ owner });
    const ask = async () =>
      (await call<ErrorBody>(app, 'GET', `${sandbox.door}/api/x`, { key: owner.key })).status;
    expect(await ask()).toBe(200);
    const stream = await StreamReader.open(`${app.url}/api/organizations/${owner.orgId}/events/stream`, {
      key: owner.key,
    });
    const socket = await TestSocket.open(door.socketUrl(sandbox, '/sockets/x'), {
      'X-Access-Token': owner.key,
    });
    // On another replica: nothing here clears what is cached.
    const { status } = await call(replica, 'PUT', path(), {
      key: owner.key,
      body: { expiry_required: true, force: true },
    });
    expect(status).toBe(200);
    expect(await answerWithin(1_000, ask, (answer) => answer === 404)).toBe(404);
    expect((await socket.closed).code).toBe(4001);
    await eventually(() => expect(stream.of('end')).toHaveLength(1));
    expect(stream.of('end')[0]?.data).toContain('credential_ended');
  });

  it('is not a session by a link, nor a key of another service', async () => {
    const member = await makeCaller(app.db, owner.orgId);
    const { session } = await letIn(app, owner, member.userId);
    const ofService = await makeKey(app.db, member.userId, { orgId: owner.orgId });
    await app.db.query('UPDATE api_keys SET is_of_service = true WHERE id = $1', [ofService.id]);
    await force({ scopes_required: true, expiry_required: true, longest_key_days: 1 });
    expect((await call(app, 'GET', '/api/keys/current', { headers: session })).status).toBe(200);
    expect([await use(ofService.key), await use(member.key)]).toEqual([200, NOT_ACCEPTED]);
  });
});

describe('keys that are made', () => {
  const met = { expires_at: inDays(29), scopes: ['use_conversations'] };
  it.each([
    [{ expiry_required: true }, {}, 'keys need an expires_at.', met],
    [{ longest_key_days: 30 }, {}, 'keys need an expires_at within 30 days.', met],
    [{ longest_key_days: 30 }, { expires_at: inDays(31) }, 'keys need an expires_at within 30 days.', met],
    [{ scopes_required: true }, { expires_at: inDays(1) }, 'keys need scopes.', met],
    [{ key_makers: 'owner' }, met, 'keys are made by nobody below the role owner.', null],
  ])('meet %j: %j does not', async (rules, wanted, problem, good) => {
    const [{ id, name }, { id: elsewhere }] = [
      await makeOrg(app.db, { name: 'Tools team' }),
      await makeOrg(app.db),
    ];
    owner = await makeCaller(app.db, id, 'owner');
    const user = await makeUser(app.db, { currentOrgId: elsewhere });
    for (const org of [id, elsewhere]) await makeMember(app.db, org, 'admin', user);
    const { key } = await makeKey(app.db, user.id);
    await force(rules);
    const refused = ['key_against_rules', `In ${name}, ${problem}`];
    expect(await create(key, { ...wanted, org_id: id })).toEqual(refused);
    expect(await create(key, { ...wanted, org_id: null })).toEqual(refused);
    expect(await create(key, { ...wanted, org_id: elsewhere })).toBe(200);
    if (good !== null) expect(await create(key, { ...good, org_id: null })).toBe(200);
  });

  it('are not made in place of those that no longer meet them', async () => {
    const made = await makeKey(app.db, owner.userId, { orgId: owner.orgId });
    await set({ key_makers: 'admin', longest_key_days: 30 });
    const { body } = await call<ErrorBody>(app, 'POST', `/api/keys/${made.id}/rotate`, {
      key: owner.key,
      body: {},
    });
    expect(body.code).toBe('key_against_rules');
  });
});
