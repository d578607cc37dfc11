import { auditEvent } from '../../support/audit-log/audit-rows';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeKey, type TestCaller } from '../../support/service/factories';
import { call, type ErrorBody } from '../../support/service/http';
import { WebhookOrg } from '../../support/webhooks/webhook-org';

let app: TestApp;
let org: WebhookOrg;
/** Somebody with an own role that has webhooks, and not the log. */
let manager: TestCaller;
// No worker: nothing is sent.
beforeAll(async () => {
  app = await startTestApp({ env: { APP_ROLE: 'api' } });
  org = await WebhookOrg.make(app);
  manager = await makeCaller(app.db, org.id);
  const path = `/api/organizations/${org.id}`;
  const role = await call<{ id: string }>(app, 'POST', `${path}/roles`, {
    key: org.owner.key,
    body: { name: 'Webhooks', permissions: ['manage_webhooks'] },
  });
  const body = { own_role_id: role.body.id };
  await call(app, 'PATCH', `${path}/members/${manager.userId}`, { key: org.owner.key, body });
});
afterAll(() => app.close());

const URL = 'https://siem.example.com/audit';

/** A delivery of a row of the log. */
async function storeRow(webhookId: string): Promise<{ readonly id: string; readonly action: string }> {
  const { kind, ...data } = auditEvent({ org_id: org.id });
  const [{ id }] = await app.db.query<[{ id: string }]>(
    `INSERT INTO webhook_deliveries (id, webhook_id, lane, type, data, occurred_at, expires_at)
     VALUES (gen_random_uuid(), $1, $2, $3, $4, now(), now()) RETURNING id`,
    [webhookId, org.id, kind, JSON.stringify(data)],
  );
  return { id, action: data.action };
}

describe('a webhook that names the audit log', () => {
  it.each([['audit.*'], ['audit.recorded'], ['conversation.*', 'audit.*']])(
    'is made and changed by those who may view it: %s',
    async (...kinds) => {
      const { id } = await org.webhook({ url: URL, kinds });
      expect((await org.send('PATCH', [id], { description: 'SIEM' })).status).toBe(200);
    },
  );

  it('is neither made nor changed without view_audit_log, by role or by key', async () => {
    const { id } = await org.webhook({ url: URL, kinds: ['audit.*'] });
    const other = await org.webhook();
    const scopes = ['manage_webhooks'];
    const scoped = await makeKey(app.db, org.admin.userId, { orgId: org.id, scopes });
    for (const [key, code] of [
      [manager.key, 'permission_denied'],
      [scoped.key, 'key_scope_missing'],
    ] as const)
      for (const [method, below, body] of [
        ['POST', [], { url: URL, kinds: ['audit.recorded'] }],
        ['PATCH', [other.id], { kinds: ['audit.*'] }],
        // Where it goes, and that it ends, is as much as who gets it.
        ['PATCH', [id], { url: 'https://elsewhere.example.com/' }],
        ['PATCH', [id], { kinds: ['*'] }],
        ['POST', [id, 'rotate-secret'], undefined],
        ['POST', [id, 'enable'], undefined],
      ] as const) {
        const refused = await org.send<ErrorBody>(method, below, body, key);
        expect([method, below, refused.status, refused.body.code]).toEqual([method, below, 403, code]);
        expect(refused.body.detail).toContain('view_audit_log');
      }
    expect((await org.send('GET', [id])).body).toMatchObject({ url: URL, kinds: ['audit.*'] });
    expect((await org.send('GET', [other.id])).body).toMatchObject({ kinds: ['*'] });
  });

  it('leaves all others to those who manage webhooks', async () => {
    const made = await org.send('POST', [], { url: URL, kinds: ['*', 'AuditEvent'] }, manager.key);
    expect(made.status).toBe(201);
    expect((await org.send('PATCH', [made.body.id], { kinds: ['message.*'] }, manager.key)).status).toBe(200);
    const { id } = await org.webhook({ url: URL, kinds: ['audit.*'] });
    expect((await org.send('POST', [id, 'disable'], undefined, manager.key)).status).toBe(200);
    expect((await org.send('DELETE', [id], undefined, manager.key)).status).toBe(200);
  });

  it('shows what it sent to those alone who may view the log', async () => {
    const { id } = await org.webhook({ url: URL, kinds: ['audit.*'] });
    const delivery = await storeRow(id);
    const read = (key: string) => org.send('GET', [id, 'deliveries', delivery.id], undefined, key);
    expect(await read(org.admin.key)).toMatchObject({
      status: 200,
      body: { data: { action: delivery.action } },
    });
    expect(await read(manager.key)).toMatchObject({ status: 403, body: { code: 'permission_denied' } });
  });

  it('is changed by those alone as long as it has rows to send, whatever it names by then', async () => {
    const { id } = await org.webhook({ url: URL, kinds: ['audit.*'] });
    await storeRow(id);
    expect((await org.send('PATCH', [id], { kinds: ['*'] })).status).toBe(200);
    for (const [method, below, body] of [
      ['PATCH', [id], { url: 'https://elsewhere.example.com/' }],
      ['POST', [id, 'rotate-secret'], undefined],
      ['POST', [id, 'enable'], undefined],
    ] as const)
      expect(await org.send<ErrorBody>(method, below, body, manager.key)).toMatchObject({
        status: 403,
        body: { code: 'permission_denied' },
      });
    await app.db.query('DELETE FROM webhook_deliveries WHERE webhook_id = $1', [id]);
    expect((await org.send('PATCH', [id], { description: 'Others' }, manager.key)).status).toBe(200);
  });
});
