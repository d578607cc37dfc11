import { randomUUID } from 'node:crypto';
import { AuditedOperations } from '../../../src/kernel/audit/calls/audited-operations';
import type { AuditFields } from '../../../src/kernel/domain-events';
import { type DocumentedOperation, operationsOf } from '../../contract/operations';
import { exampleOf, Tenant } from '../../contract/tenant';
import { startTestApp, type TestApp } from '../../support/service/app';
import { auditRows, rowsOf } from '../../support/service/audit-rows';
import { makeCaller, makeKey, makeOrg } from '../../support/service/factories';
import { call } from '../../support/service/http';
import { OTHERS } from './others';
import { hiddenIn, SecretsSent } from './secrets-sent';
import { CANNOT, GIVEN, RANK_OF_DELETION, RANKS } from './walk-cases';

/**
 * Calls every operation that changes something, allowed and refused, and demands one row of the audit log for each call. An
 * operation that is added without a case fails here.
 */
let app: TestApp;
let operations: DocumentedOperation[];
let tenant: Tenant;
const secrets = new SecretsSent();

/** They are asked for all the time, and change nothing: no row. */
const NO_ROW = ['checkSession'];

beforeAll(async () => {
  const limits = {
    READ_CALLS_PER_MINUTE: '0',
    LIFECYCLE_CALLS_PER_MINUTE: '0',
    PUBLIC_CALLS_PER_MINUTE: '0',
  };
  app = await startTestApp({ env: { APP_ROLE: 'api', SANDBOX_ACCESS: 'mixed', ...limits } });
  operations = operationsOf(app).filter(
    ({ method, security, operation }) =>
      method !== 'GET' &&
      security.includes('X-Access-Token') &&
      !NO_ROW.includes(String(operation.operationId)),
  );
  tenant = await Tenant.make(app, operations);
});
afterAll(() => app.close());

const idOf = ({ operation }: DocumentedOperation): string => String(operation.operationId);
const rankOf = (operation: DocumentedOperation): number =>
  RANKS[idOf(operation)] ?? (operation.method === 'DELETE' ? RANK_OF_DELETION : 0);

/** A key of the owner of all that there is. */
async function ownerKey(fields: object = {}): Promise<{ id: number; key: string }> {
  const { userId, orgId } = tenant.owner;
  const made = await makeKey(app.db, userId, { orgId, ...fields });
  secrets.add(made.key);
  return made;
}

const userOf = async (id: string): Promise<{ email: string }> => {
  const [user] = await app.db.query<[{ email: string }]>('SELECT email FROM users WHERE id = $1', [id]);
  return user;
};

interface Sent {
  readonly requestId: string;
  readonly status: number;
}

async function send(method: string, path: string, key: string, given?: unknown): Promise<Sent> {
  const requestId = randomUUID();
  const body = secrets.put(given);
  const response = await call(app, method, path, {
    key,
    headers: { 'X-Request-Id': requestId },
    ...(body !== undefined && { body }),
  });
  secrets.note(response.body);
  return { requestId, status: response.status };
}

/** The only row of a call. */
async function rowOf({ requestId }: Sent, title: string): Promise<AuditFields> {
  const [row, ...others] = await rowsOf(app.db, requestId);
  if (row === undefined || others.length > 0) throw new Error(`${title} has ${others.length + 1} rows.`);
  return row;
}

function addressOf(operation: DocumentedOperation, ids: Readonly<Record<string, string>>): string {
  const path = Object.entries(ids).reduce(
    (text, [name, id]) => text.replace(`{${name}}`, id),
    operation.path,
  );
  return path === operation.path ? tenant.address(operation) : tenant.path(path);
}

it('every operation of users leaves one row, with who did it and what became of it', async () => {
  const { userId, orgId } = tenant.owner;
  const unexpected: string[] = [];
  for (const operation of operations.toSorted(
    (a, b) => rankOf(a) - rankOf(b) || b.path.length - a.path.length,
  )) {
    const action = idOf(operation);
    const { key } = await ownerKey();
    const { body = exampleOf(operation), ids = {} } = GIVEN[action]?.(tenant) ?? {};
    const sent = await send(operation.method, addressOf(operation, ids), key, body);
    const row = await rowOf(sent, operation.title);
    const isDone = sent.status < 400;
    if (isDone === action in CANNOT) unexpected.push(`${action}: ${sent.status} ${row.code}`);
    const isRefused = [401, 403, 429].includes(sent.status);
    // Of handlers that may still choose the status, a row that is written with the change has none.
    expect([sent.status, null]).toContain(row.status);
    expect(row).toMatchObject({
      org_id: orgId,
      action,
      actor: { kind: 'user', user_id: userId, session: false },
      outcome: isDone ? 'success' : isRefused ? 'refused' : 'failed',
    });
    expect(key.startsWith(row.actor.key_prefix ?? 'no prefix')).toBe(true);
  }
  expect(unexpected).toEqual([]);
});

it('what ends people and organizations leaves one', async () => {
  const { id } = await makeOrg(app.db, { name: 'Tools team' });
  const owner = await makeCaller(app.db, id, 'owner');
  const member = await makeCaller(app.db, id, 'member');
  const own = await makeCaller(app.db, id, 'member');
  const { email } = await userOf(own.userId);
  const path = `/api/organizations/${id}`;
  for (const [action, by, method, address, body] of [
    ['eraseMember', owner, 'POST', `${path}/erasures/${member.userId}`, undefined],
    ['eraseOwn', own, 'POST', '/api/users/me/erasure', { confirmation: email }],
    ['deleteOrganization', owner, 'DELETE', `${path}?confirm=Tools%20team`, undefined],
  ] as const) {
    const sent = await send(method, address, by.key, body);
    expect([action, sent.status]).toEqual([action, 202]);
    expect(await rowOf(sent, action)).toMatchObject({
      action,
      outcome: 'success',
      actor: { user_id: by.userId },
    });
  }
});

it('every refused call of a user leaves one: of a key that is revoked, and of one that may not', async () => {
  const { userId, orgId } = tenant.owner;
  const revoked = await ownerKey();
  await app.db.query('DELETE FROM api_keys WHERE id = $1', [revoked.id]);
  const limited = await ownerKey({ scopes: ['view_audit_log'] });
  for (const operation of operations)
    for (const { key } of [revoked, limited]) {
      const sent = await send(operation.method, tenant.path(operation.path), key);
      // Everybody may do some of them, and others hide that there is anything.
      if (key === limited.key && sent.status !== 403) continue;
      expect(await rowOf(sent, operation.title)).toMatchObject({
        org_id: orgId,
        action: idOf(operation),
        outcome: 'refused',
        status: sent.status,
        changes: null,
        actor: { kind: 'user', user_id: userId },
      });
    }
});

it('no operation that changes something is without a case', () => {
  const changing = app.app.get(AuditedOperations, { strict: false }).changing();
  const names = new Set(changing.map(({ action }) => action));
  const known = new Set([...operations.map(idOf), ...OTHERS]);
  expect([...names].filter((name) => !known.has(name))).toEqual([]);
  expect([...OTHERS, ...Object.keys(CANNOT)].filter((name) => !names.has(name))).toEqual([]);
});

it('no row has a secret that was sent, or answered', async () => {
  expect(hiddenIn(JSON.stringify(await auditRows(app.db)), secrets)).toEqual([]);
});
