import { randomUUID } from 'node:crypto';
import { DomainEventLog } from '../../../src/kernel/domain-events';
import { isSendingLogs, startTelemetry, type Telemetry } from '../../../src/kernel/telemetry';
import { auditEvent, type AuditRowFields } from '../../support/audit-log/audit-rows';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { eventually } from '../../support/eventually';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeOrg } from '../../support/service/factories';
import { OtlpReceiver } from '../../support/telemetry/otlp-receiver';

describe('rows of the audit log', () => {
  let collector: OtlpReceiver;
  let telemetry: Telemetry;
  let database: TestDatabase;
  let replicas: TestApp[] = [];
  let orgId: string;

  beforeAll(async () => {
    collector = await OtlpReceiver.start();
    Object.assign(process.env, {
      OTEL_LOGS_EXPORTER: 'otlp',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_TRACES_EXPORTER: 'none',
      OTEL_METRICS_EXPORTER: 'none',
    });
    telemetry = await startTelemetry(process.env, { info: fail, warn: fail });
    database = await createTestDatabase();
    replicas = [await startTestApp({ database }), await startTestApp({ database })];
    orgId = (await makeOrg(service().db)).id;
  });
  afterAll(async () => {
    for (const replica of replicas) await replica.close();
    await telemetry.stop();
    await Promise.all([database.drop(), collector.stop()]);
  });

  const service = (n = 0): TestApp => replicas[n] ?? fail(`There is no replica ${n}.`);
  const record = (app: TestApp, ...rows: readonly AuditRowFields[]) =>
    app.db.transaction((transaction) =>
      app.app.get(DomainEventLog).add(
        transaction,
        rows.map((row) => auditEvent({ org_id: orgId, ...row })),
        false,
      ),
    );
  const ofRequest = (id: string) =>
    collector.logs.filter(({ attributes }) => attributes['audit.request_id'] === id);

  it('are log records with all that they say, of the time when it happened', async () => {
    const [request_id, userId] = [randomUUID(), randomUUID()];
    const target = { type: 'user', id: userId };
    await record(service(), {
      request_id,
      actor: { kind: 'user', user_id: userId, key_prefix: null, session: true },
      target,
      outcome: 'refused',
      status: 403,
      code: 'permission_denied',
    });
    const [log] = await eventually(() => {
      expect(ofRequest(request_id)).toHaveLength(1);
      return ofRequest(request_id);
    });
    expect(log).toMatchObject({
      eventName: 'audit.recorded',
      at: Date.parse('2026-11-21T09:30:00.000Z'),
      severity: 'WARN',
      attributes: {
        'audit.action': 'changeMemberRole',
        'audit.actor.kind': 'user',
        'audit.code': 'permission_denied',
        'audit.org_id': orgId,
        'audit.outcome': 'refused',
        'audit.target.id': userId,
        'client.address': '203.0.113.7',
        'enduser.id': userId,
        'http.response.status_code': 403,
        'user_agent.original': 'a browser',
      },
      resource: { 'service.name': 'org-conversation-service' },
    });
    expect(JSON.parse(log?.body ?? '')).toMatchObject({ org_id: orgId, target, outcome: 'refused' });
  });

  it('are sent once, whichever of two replicas numbers them, and those of no organization, too', async () => {
    const request_id = randomUUID();
    for (let n = 0; n < 40; n++)
      await record(service(n % 2), { request_id, org_id: n % 4 === 0 ? null : orgId });
    await eventually(() => expect(ofRequest(request_id)).toHaveLength(40));
    const ids = new Set(ofRequest(request_id).map(({ attributes }) => attributes['audit.id']));
    expect(ids.size).toBe(40);
    expect(ofRequest(request_id).filter(({ severity }) => severity === 'INFO')).toHaveLength(40);
  });

  it('whose numbering was rolled back are sent when it succeeds, and not before', async () => {
    const request_id = randomUUID();
    // As any other consumer could, which then gets the batch again.
    let failures = 2;
    for (const { app } of replicas)
      app.get(DomainEventLog).consume({
        isWaiting: () => false,
        take: () => (failures-- > 0 ? Promise.reject(new Error('Not now.')) : Promise.resolve()),
        committed: () => undefined,
      });
    await record(service(), { request_id });
    await eventually(() => expect(ofRequest(request_id)).toHaveLength(1));
    expect(failures).toBeLessThan(1);
  });

  it('are sent no more once telemetry has stopped', async () => {
    await telemetry.stop();
    expect(isSendingLogs()).toBe(false);
  });
});

function fail(message: string): never {
  throw new Error(message);
}
