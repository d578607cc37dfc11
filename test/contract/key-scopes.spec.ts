import type { Permission } from '../../src/kernel/auth';
import { PermissionTable } from '../../src/kernel/auth';
import { startTestApp, type TestApp } from '../support/service/app';
import { makeKey, makeMember, makeOrg, type TestUser } from '../support/service/factories';
import { call, type ErrorBody } from '../support/service/http';
import { type DocumentedOperation, filled, operationsOf } from './operations';

/** What passes requests on to agent servers: without the scope it knows no sandbox. */
const DOOR = /\/agent-server(?:\/|$)/;

/** What every key may do, of itself: leaving an organization needs another scope than removing somebody. */
const LEAVING = 'DELETE /api/organizations/{org_id}/members/{user_id}';

let app: TestApp;
let orgId: string;
let owner: TestUser;
let all: Permission[];
beforeAll(async () => {
  app = await startTestApp({
    env: { APP_ROLE: 'api' },
  });
  ({ id: orgId } = await makeOrg(app.db));
  owner = await makeMember(app.db, orgId, 'owner');
  all = app.app.get(PermissionTable).of('owner');
});
afterAll(() => app.close());

const keyOf = async (scopes: readonly string[]): Promise<string> =>
  (await makeKey(app.db, owner.id, { orgId, scopes })).key;

/** The scopes of which a key needs one; `any` for what every key may. */
const scopeOf = ({ operation }: DocumentedOperation): readonly string[] | 'any' =>
  Reflect.get(operation, 'x-scope') as readonly string[] | 'any';

const ofUsers = (): DocumentedOperation[] =>
  operationsOf(app).filter(({ security, path }) => security.includes('X-Access-Token') && !DOOR.test(path));

async function codeOf({ method, path }: DocumentedOperation, scopes: readonly string[]): Promise<unknown> {
  const key = await keyOf(scopes);
  // A stream that is let in would not end; it does where it would resume at what never was.
  const target = filled(path, orgId) + (path.endsWith('/stream') ? '?after=never' : '');
  const { status, body } = await call<Partial<ErrorBody> | null>(app, method, target, {
    key,
    ...(method !== 'GET' && { body: {} }),
  });
  return status === 403 ? body?.code : 'passes';
}

it('every operation with a key says what a key with scopes needs, in names of the permission table', () => {
  for (const operation of ofUsers()) {
    const scope = scopeOf(operation);
    const unknown = scope === 'any' ? [] : scope.filter((name) => !all.some((known) => known === name));
    expect([operation.title, Array.isArray(scope) || scope, unknown]).toEqual([
      operation.title,
      scope === 'any' ? 'any' : true,
      [],
    ]);
    if (typeof operation.permission === 'string')
      expect([operation.title, scope]).toEqual([operation.title, [operation.permission]]);
  }
});

it('a key with every other scope is refused, and with what may be done by every key only that', async () => {
  for (const operation of ofUsers()) {
    const scope = scopeOf(operation);
    if (operation.title === LEAVING) continue;
    const others = scope === 'any' ? ['use_conversations'] : all.filter((name) => !scope.includes(name));
    expect([operation.title, await codeOf(operation, others)]).toEqual([
      operation.title,
      scope === 'any' ? 'passes' : 'key_scope_missing',
    ]);
  }
});

it('a key with the scope alone passes, each of several', async () => {
  // A key with scopes makes no key without.
  const passing = ofUsers().filter(({ operation }) => operation.operationId !== 'createServiceAccountKey');
  for (const operation of passing) {
    const scope = scopeOf(operation);
    for (const name of scope === 'any' ? [] : scope) {
      const code = await codeOf(operation, [name]);
      expect([
        operation.title,
        name,
        ['key_scope_missing', 'permission_denied'].includes(String(code)),
      ]).toEqual([operation.title, name, false]);
    }
  }
});

it('what names no scope is closed to a key with all of them', async () => {
  const closed = ofUsers().filter((operation) => scopeOf(operation).length === 0);
  for (const operation of closed)
    expect([operation.title, await codeOf(operation, all)]).toEqual([operation.title, 'key_scope_missing']);
});
