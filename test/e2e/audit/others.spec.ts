import { randomUUID } from 'node:crypto';
import { displayPrefix } from '../../../src/accounts/api-keys/keys/key-format';
import { SandboxKeys } from '../../../src/sandboxes/sandboxes/record/sandbox-keys';
import { storeConversation } from '../../support/queue/conversation-rows';
import { insertSandbox } from '../../support/sandbox-access/door-service';
import { Directory } from '../../support/scim/directory';
import { AuditedCalls } from '../../support/audit/audited-calls';
import { inviteOne, tokenOf } from '../../support/invitations/invitations';
import { startTestApp, type TestApp } from '../../support/service/app';
import {
  makeCaller,
  makeKey,
  makeMember,
  makeOrg,
  makeUser,
  type TestCaller,
} from '../../support/service/factories';
import { call, type CallOptions, type HttpResponse } from '../../support/service/http';
import { FROM_OWN_PAGE, startSession } from '../../support/web-interface/browser-cookie';
import { WITH_CASE } from './others';

const SERVICE_KEY = 'a-key-of-another-service-0123456789';
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

let app: TestApp;
let owner: TestCaller;
const calls = new AuditedCalls(() => app);
const seen = new Set<string>();
beforeAll(async () => {
  app = await startTestApp({ env: { APP_ROLE: 'api', SERVICE_API_KEY: SERVICE_KEY } });
  owner = await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner');
});
afterAll(() => app.close());

/** Calls an operation, and asserts that the call has one row. @returns the response */
async function leavesRow<Body = Record<string, unknown>>(
  action: (typeof WITH_CASE)[number],
  expected: object,
  [method, path, options]: [method: string, path: string, options: CallOptions],
): Promise<HttpResponse<Body>> {
  const { response, row } = await calls.call<Body>(method, path, options);
  seen.add(action);
  const outcome = response.status < 400 ? 'success' : 'failed';
  expect(row).toMatchObject({ action, outcome });
  // Pages are written by their handlers, whose change is committed before that.
  expect([null, response.status]).toContain(row.status);
  expect(row).toMatchObject(expected);
  return response;
}

const form = (fields: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}) => ({
  raw: new URLSearchParams(fields).toString(),
  headers: { ...FORM, ...FROM_OWN_PAGE, ...headers },
});

it('the directory of an organization leaves rows', async () => {
  const { token } = await Directory.make(app, owner);
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/scim+json' };
  const actor = { kind: 'directory', user_id: null, key_prefix: token.slice(0, 'ocs_scim_'.length + 6) };
  const expected = { org_id: owner.orgId, actor, outcome: 'success' };
  const patch = { Operations: [{ op: 'replace', path: 'externalId', value: 'another' }] };
  const user = { userName: `${randomUUID()}@example.com` };
  const group = { displayName: 'Platform' };
  for (const [what, path, body] of [
    ['User', '/scim/v2/Users', user],
    ['Group', '/scim/v2/Groups', group],
  ] as const) {
    const changes = [{ table: `scim_${what.toLowerCase()}s` }];
    const made = await leavesRow<{ id: string }>(`createScim${what}`, expected, [
      'POST',
      path,
      { headers, body },
    ]);
    const { id } = made.body;
    const target = { type: what.toLowerCase(), id };
    const its = { ...expected, target };
    await leavesRow(`replaceScim${what}`, its, [
      'PUT',
      `${path}/${id}`,
      { headers, body: { ...body, externalId: 'x' } },
    ]);
    await leavesRow(`patchScim${what}`, { ...its, changes: [{ ...changes[0], id }] }, [
      'PATCH',
      `${path}/${id}`,
      { headers, body: patch },
    ]);
    await leavesRow(`deleteScim${what}`, its, ['DELETE', `${path}/${id}`, { headers }]);
  }
});

it('another service leaves rows, and so does who reports a key', async () => {
  const path = `/api/service/users/${owner.userId}/orgs/${owner.orgId}/api-keys`;
  const headers = { 'X-Service-API-Key': SERVICE_KEY };
  const expected = { org_id: owner.orgId, actor: { kind: 'service' }, target: { type: 'api-key' } };
  await leavesRow('createServiceKey', expected, ['POST', path, { headers, body: { name: 'automation' } }]);
  const found = await makeKey(app.db, owner.userId, { orgId: owner.orgId });
  await leavesRow(
    'reportApiKey',
    { actor: { kind: 'unknown' }, changes: [{ table: 'api_keys', id: String(found.id), after: null }] },
    ['POST', '/api/keys/report', { body: { key: found.key } }],
  );
});

it('who signs in and out leaves rows, with whom it is', async () => {
  const expected = { org_id: owner.orgId, outcome: 'success' };
  const as = (session: boolean) => ({ ...expected, actor: { kind: 'user', user_id: owner.userId, session } });
  const { headers } = await leavesRow(
    'submitSignIn',
    { ...as(false), changes: [{ table: 'browser_sessions' }] },
    ['POST', '/login', form({ key: owner.key })],
  );
  const Cookie = headers['set-cookie']?.[0]?.split(';', 1)[0] ?? '';
  await leavesRow('submitSignOut', { actor: as(true).actor }, ['POST', '/logout', form({}, { Cookie })]);
  const member = await makeMember(app.db, owner.orgId);
  const path = `/api/organizations/${owner.orgId}/members/${member.id}/sign-in-link`;
  const { body } = await call<{ url: string }>(app, 'POST', path, { key: owner.key });
  const link = new URL(Object.values(body).find((value) => value.startsWith('http')) ?? '');
  const token = link.searchParams.get('token') ?? link.hash.slice(link.hash.indexOf('=') + 1);
  await leavesRow('useLink', { ...expected, actor: { kind: 'user', user_id: member.id } }, [
    'POST',
    '/login/link',
    form({ token }),
  ]);
});

it('who accepts an invitation leaves a row in the organization that they join', async () => {
  const elsewhere = (await makeOrg(app.db)).id;
  const invited = await makeMember(app.db, elsewhere, 'member', await makeUser(app.db));
  const { key } = await makeKey(app.db, invited.id, { orgId: elsewhere });
  const token = tokenOf(await inviteOne(app, owner, invited.email));
  const actor = { kind: 'user', user_id: invited.id, key_prefix: displayPrefix(key) };
  await leavesRow(
    'acceptInvitation',
    {
      org_id: owner.orgId,
      actor,
      outcome: 'success',
      changes: [{ table: 'org_members', after: { role: 'member' } }, { table: 'invitations' }],
    },
    ['POST', '/api/organizations/members/invite/accept', { key, body: { token } }],
  );
});

it('a login of a device leaves rows', async () => {
  const begun = await leavesRow<{ user_code: string; device_code: string }>(
    'authorizeDevice',
    { org_id: null, actor: { kind: 'unknown' } },
    ['POST', '/oauth/device/authorize', form({ client_id: 'A command line' })],
  );
  const { user_code, device_code } = begun.body;
  const Cookie = await startSession(app, owner.key);
  await leavesRow('submitDecision', { actor: { kind: 'user', user_id: owner.userId, session: true } }, [
    'POST',
    '/oauth/device/verify-authenticated',
    form({ user_code, decision: 'approve', days: '90', organization: owner.orgId }, { Cookie }),
  ]);
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
  await leavesRow('fetchDeviceToken', { changes: [{ table: 'api_keys' }], outcome: 'success' }, [
    'POST',
    '/oauth/device/token',
    form({ grant_type, device_code }),
  ]);
});

it('sandboxes leave rows, after the response', async () => {
  const keys = app.app.get(SandboxKeys, { strict: false });
  const sandbox = await insertSandbox(app.db, keys, { owner, baseUrl: 'http://127.0.0.1:9' });
  const by = { org_id: owner.orgId, created_by_user_id: owner.userId };
  const { id } = await storeConversation(app.db, { ...by, sandbox_id: sandbox.id });
  const headers = { 'X-Session-API-Key': sandbox.key };
  const expected = { org_id: owner.orgId, actor: { kind: 'sandbox', user_id: owner.userId }, changes: null };
  const event = { id: randomUUID(), kind: 'MessageEvent', source: 'user', timestamp: '2026-11-29T09:30:00' };
  await leavesRow('receiveEvents', { ...expected, target: { type: 'conversation', id } }, [
    'POST',
    `/api/v1/webhooks/events/${id.replaceAll('-', '')}`,
    { headers, body: [event] },
  ]);
  await leavesRow('receiveConversation', expected, [
    'POST',
    '/api/v1/webhooks/conversations',
    { headers, body: { id, title: 'A title' } },
  ]);
});

it('all of them have a case', () => {
  expect(WITH_CASE.filter((action) => !seen.has(action))).toEqual([]);
});
