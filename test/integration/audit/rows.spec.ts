import { randomUUID } from 'node:crypto';
import { startTestApp, type TestApp } from '../../support/service/app';
import { auditRows, rowsOf } from '../../support/service/audit-rows';
import { makeCaller, makeKey, makeMember, makeOrg, type TestCaller } from '../../support/service/factories';
import { call } from '../../support/service/http';

const A_STRING: unknown = expect.any(String);

let app: TestApp;
let owner: TestCaller;
let path: string;
beforeAll(async () => {
  app = await startTestApp({ env: { APP_ROLE: 'api', TRUSTED_HOPS: '1' } });
  owner = await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner');
  path = `/api/organizations/${owner.orgId}`;
});
afterAll(() => app.close());

interface Sent {
  readonly key?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** Sends a request. @returns its status and id */
async function sent(method: string, at: string, { key = owner.key, body, headers }: Sent = {}) {
  const id = randomUUID();
  const response = await call<Record<string, unknown>>(app, method, at, {
    key,
    ...(body !== undefined && { body }),
    headers: { 'X-Request-Id': id, ...headers },
  });
  return { id, status: response.status, body: response.body };
}

describe('a row', () => {
  it('says who did what to what, from where, and what became of it', async () => {
    const member = await makeMember(app.db, owner.orgId);
    const { id, status } = await sent('PATCH', `${path}/members/${member.id}`, {
      body: { role: 'admin' },
      headers: { 'User-Agent': 'Tool/1.0 '.repeat(50), 'X-Forwarded-For': '203.0.113.7' },
    });
    expect(status).toBe(200);
    const [row, ...others] = await auditRows(app.db, id);
    expect(others).toEqual([]);
    expect(row).toEqual({
      kind: 'audit.recorded',
      org_id: owner.orgId,
      entry_id: A_STRING,
      at: A_STRING,
      actor: {
        kind: 'user',
        user_id: owner.userId,
        key_prefix: owner.key.slice(0, row?.actor.key_prefix?.length),
        session: false,
      },
      action: 'changeMemberRole',
      target: { type: 'user', id: member.id },
      changes: [
        { table: 'org_members', id: member.id, before: { role: 'member' }, after: { role: 'admin' } },
      ],
      outcome: 'success',
      status: 200,
      code: null,
      request_id: id,
      personal: { address: '203.0.113.7', user_agent: 'Tool/1.0 '.repeat(50).slice(0, 200) },
    });
  });

  it('names what was made', async () => {
    const { id, body } = await sent('POST', `${path}/roles`, {
      body: { name: 'Auditors', permissions: ['view_audit_log'] },
    });
    expect(await rowsOf(app.db, id)).toMatchObject([
      {
        action: 'createOrgRole',
        target: { type: 'role', id: body['id'] },
        changes: [
          { table: 'org_roles', before: null, after: { name: 'Auditors', permissions: ['view_audit_log'] } },
        ],
        status: 201,
      },
    ]);
  });

  it('of a refused call says so, in the organization of its caller', async () => {
    const member = await makeCaller(app.db, owner.orgId);
    const { id, status } = await sent('POST', `${path}/roles`, { key: member.key, body: { name: 'x' } });
    expect(status).toBe(403);
    expect(await rowsOf(app.db, id)).toMatchObject([
      {
        org_id: owner.orgId,
        actor: { kind: 'user', user_id: member.userId },
        action: 'createOrgRole',
        outcome: 'refused',
        status: 403,
        code: 'permission_denied',
        changes: null,
      },
    ]);
  });

  it('of a call into an organization of others is of the own one', async () => {
    const other = await makeOrg(app.db);
    const { id } = await sent('GET', `/api/organizations/${other.id}/members`);
    expect(await rowsOf(app.db, id)).toMatchObject([
      {
        org_id: owner.orgId,
        outcome: 'refused',
        code: 'not_a_member',
        target: { type: 'organization', id: other.id },
      },
    ]);
  });

  it('of a key that is revoked, has ended or is sent from elsewhere says whose it is', async () => {
    const revoked = await makeKey(app.db, owner.userId, { orgId: owner.orgId });
    await sent('DELETE', `/api/keys/${revoked.id}`, { headers: { 'X-Org-Id': owner.orgId } });
    const ended = await makeKey(app.db, owner.userId, { expiresAt: new Date(0) });
    const elsewhere = await makeKey(app.db, owner.userId, { addressRanges: ['192.0.2.0/24'] });
    for (const { key } of [revoked, ended, elsewhere]) {
      const { id, status } = await sent('GET', `${path}/members`, { key });
      expect(status).toBe(401);
      expect(await rowsOf(app.db, id)).toMatchObject([
        {
          org_id: owner.orgId,
          actor: { kind: 'user', user_id: owner.userId },
          outcome: 'refused',
          status: 401,
          code: 'not_authenticated',
        },
      ]);
    }
  });

  it('is not written for reads, nor for keys that are nobody’s', async () => {
    const read = await sent('GET', `${path}/members`);
    const unknown = await sent('GET', `${path}/members`, { key: 'sk-unknown' });
    expect([read.status, unknown.status]).toEqual([200, 401]);
    const { id } = await sent('POST', `${path}/roles`, { body: { name: '' } });
    await rowsOf(app.db, id);
    expect(await auditRows(app.db, read.id)).toEqual([]);
    expect(await auditRows(app.db, unknown.id)).toEqual([]);
  });
});
