import type { OrgRoleResponse } from '../../src/accounts/orgs/roles/roles.dto';
import { rowDigests } from '../support/database/row-digests';
import { startTestApp, type TestApp } from '../support/service/app';
import { makeCaller, makeKey, makeOrg, type TestCaller } from '../support/service/factories';
import { call, type ErrorBody } from '../support/service/http';
import { storeConversation, storeSandbox } from '../support/queue/conversation-rows';
import { agentEvent, storeEvents } from '../support/streams/stored-events';
import { type DocumentedOperation, operationsOf } from './operations';

const AUDITOR = ['view_org_conversations', 'view_audit_log'];

let app: TestApp;
let owner: TestCaller;
let auditor: TestCaller;
/** One of the owner, and one that the auditor started when they were a member. */
let conversations: { readonly id: string; readonly sandbox_id: string }[];

beforeAll(async () => {
  app = await startTestApp({ env: { APP_ROLE: 'api' } });
  const { id } = await makeOrg(app.db);
  owner = await makeCaller(app.db, id, 'owner');
  auditor = await makeCaller(app.db, id);
  conversations = await Promise.all([owner, auditor].map(conversationOf));
  const path = `/api/organizations/${id}`;
  const body = { name: 'Auditor', permissions: AUDITOR };
  const role = await call<OrgRoleResponse>(app, 'POST', `${path}/roles`, { key: owner.key, body });
  const given = { key: owner.key, body: { own_role_id: role.body.id } };
  expect((await call(app, 'PATCH', `${path}/members/${auditor.userId}`, given)).status).toBe(200);
  auditor = { ...auditor, ...(await makeKey(app.db, auditor.userId, { orgId: id })) };
});
afterAll(() => app.close());

async function conversationOf({ orgId, userId }: TestCaller) {
  const by = { org_id: orgId, created_by_user_id: userId };
  const sandbox_id = await storeSandbox(app.db, by, { status: 'PAUSED' });
  const { id } = await storeConversation(app.db, { ...by, sandbox_id });
  await storeEvents(app, id, [agentEvent({ id: `event-of-${id}` })]);
  return { id, sandbox_id };
}

/** The paths of an operation, with the ids of either conversation. */
function pathsOf({ path }: DocumentedOperation): string[] {
  return conversations.map(({ id, sandbox_id }) =>
    path
      .replace('{org_id}', owner.orgId)
      .replace('{user_id}', owner.userId)
      .replace('{sandbox_id}', sandbox_id)
      .replace('{event_id}', `event-of-${id}`)
      .replace(/\{(conversation_id|id)\}/, id)
      .replaceAll(/\{[^}]*\}/g, 'a8098c1a-f86e-41da-bd1a-00112444be1e'),
  );
}

const scopeOf = ({ operation }: DocumentedOperation): unknown => Reflect.get(operation, 'x-scope');
const isFor = (operation: DocumentedOperation, permissions: readonly string[]): boolean => {
  const scope = scopeOf(operation);
  return Array.isArray(scope) && scope.some((name) => permissions.includes(String(name)));
};
const ofUsers = () => operationsOf(app).filter(({ security }) => security.includes('X-Access-Token'));
/** Those that require something, of which an auditor has nothing. */
const closed = () =>
  ofUsers().filter((operation) => {
    const scope = scopeOf(operation);
    return Array.isArray(scope) && scope.length > 0 && !isFor(operation, AUDITOR);
  });

describe('an auditor, who may only view conversations and the audit log', () => {
  it.each([
    '/api/organizations/{org_id}/conversations',
    '/api/organizations/{org_id}/conversations/{conversation_id}',
    '/api/organizations/{org_id}/conversations/stats',
    '/api/organizations/{org_id}/conversations/export',
    '/api/organizations/{org_id}/usage?by=day',
    '/api/organizations/{org_id}/overview',
    '/api/v1/app-conversations/{id}',
    '/api/conversations/{conversation_id}/events/{event_id}',
    '/api/v1/conversation/{conversation_id}/events/search',
    '/api/v1/conversation/{conversation_id}/events/count',
    '/api/v1/app-conversations/{conversation_id}/download',
  ])('reads GET %s, of everybody', async (path) => {
    for (const filled of pathsOf({ path } as DocumentedOperation)) {
      const { status } = await call(app, 'GET', filled, { key: auditor.key });
      expect([filled, status]).toEqual([filled, 200]);
    }
  });

  it('is refused by every operation that requires something else, which changes nothing', async () => {
    const before = await rowDigests(app.db);
    const operations = closed();
    expect(operations.length).toBeGreaterThan(80);
    for (const operation of operations)
      for (const path of pathsOf(operation)) {
        const options = { key: auditor.key, ...(operation.method !== 'GET' && { body: {} }) };
        const { status, body } = await call<ErrorBody>(app, operation.method, path, options);
        expect([operation.title, status, body.code]).toEqual([operation.title, 403, 'permission_denied']);
      }
    expect(await rowDigests(app.db)).toEqual(before);
  });

  it('with a key that is not bound has what is kept for all organizations, and nothing in this one', async () => {
    const { key } = await makeKey(app.db, auditor.userId);
    const before = await rowDigests(app.db);
    for (const operation of closed().filter(({ path }) =>
      /\{(conversation_id|id|sandbox_id|org_id)\}/.test(path),
    ))
      for (const path of pathsOf(operation)) {
        const options = { key, ...(operation.method !== 'GET' && { body: {} }) };
        const { status } = await call(app, operation.method, path, options);
        expect([operation.title, [403, 404, 422, 400].includes(status)]).toEqual([operation.title, true]);
      }
    expect(await rowDigests(app.db)).toEqual(before);
  });
});
