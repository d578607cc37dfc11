import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuditFields } from '../../../src/kernel/domain-events';
import { runCommand } from '../../../src/operations/cli/command-line';
import { WebhookDisabling } from '../../../src/outbound/webhooks/queue/webhook-disabling';
import { storeConversation } from '../../support/queue/conversation-rows';
import { startTestApp, type TestApp } from '../../support/service/app';
import { auditRows, rowsOf } from '../../support/service/audit-rows';
import { makeCaller, makeKey, makeMember, makeOrg, type TestCaller } from '../../support/service/factories';
import { call } from '../../support/service/http';
import { runNow } from '../../support/service/recurring-jobs';
import { agentEvent, storeEvents } from '../../support/streams/stored-events';
import { WebhookOrg } from '../../support/webhooks/webhook-org';

let app: TestApp;
let admin: TestCaller;
let member: TestCaller;
beforeAll(async () => {
  app = await startTestApp();
  const { id } = await makeOrg(app.db);
  admin = await makeCaller(app.db, id, 'admin');
  member = await makeCaller(app.db, id);
});
afterAll(() => app.close());

/** The rows that something leaves, in the order in which they are logged. */
async function rowsFrom(work: () => Promise<unknown>): Promise<AuditFields[]> {
  const before = (await auditRows(app.db)).length;
  await work();
  return (await auditRows(app.db)).slice(before);
}

async function read(path: string, { key }: TestCaller): Promise<{ id: string; status: number }> {
  const id = randomUUID();
  const { status } = await call(app, 'GET', path, { key, headers: { 'X-Request-Id': id } });
  return { id, status };
}

describe('reads', () => {
  let conversationId: string;
  /** Of it, its events and its download. */
  let paths: readonly string[];
  beforeAll(async () => {
    const by = { org_id: member.orgId, created_by_user_id: member.userId };
    ({ id: conversationId } = await storeConversation(app.db, by));
    await storeEvents(app, conversationId, [agentEvent()]);
    const [conversation, events] = [
      `/api/v1/app-conversations/${conversationId}`,
      `/api/v1/conversation/${conversationId}/events`,
    ];
    paths = [
      conversation,
      `/api/v1/app-conversations?ids=${conversationId}`,
      `${conversation}/download`,
      `${events}/search`,
      `${events}/count`,
    ];
  });

  it('of a conversation of another user by an admin are rows: it, its events, its download', async () => {
    for (const path of paths) {
      const { id, status } = await read(path, admin);
      expect([path, status]).toEqual([path, 200]);
      expect(await rowsOf(app.db, id)).toEqual([
        expect.objectContaining({
          org_id: admin.orgId,
          outcome: 'success',
          status: 200,
          changes: null,
          target: { type: 'conversation', id: conversationId },
          actor: expect.objectContaining({ kind: 'user', user_id: admin.userId }) as unknown,
        }),
      ]);
    }
  });

  it('through the list of the organization are rows as well, and so is its export', async () => {
    const list = `/api/organizations/${admin.orgId}/conversations`;
    for (const [path, action, target] of [
      [`${list}/${conversationId}`, 'getOrgConversation', { type: 'conversation', id: conversationId }],
      [`${list}/export`, 'exportOrgConversations', { type: 'organization', id: admin.orgId }],
    ] as const) {
      const { id, status } = await read(path, admin);
      expect([path, status]).toEqual([path, 200]);
      expect(await rowsOf(app.db, id)).toMatchObject([
        { action, target, org_id: admin.orgId, outcome: 'success' },
      ]);
    }
  });

  it('of what is one’s own are none, even an admin’s', async () => {
    const by = { org_id: admin.orgId, created_by_user_id: admin.userId };
    const { id: own } = await storeConversation(app.db, by);
    await storeEvents(app, own, [agentEvent()]);
    const reads = [];
    for (const path of paths) {
      reads.push(await read(path, member));
      reads.push(await read(path.replace(conversationId, own), admin));
    }
    expect(reads.map(({ status }) => status)).toEqual(reads.map(() => 200));
    // Rows are written in the order of calls: those of the reads would be there with that of a later one.
    const later = await read(`/api/v1/app-conversations/${conversationId}`, admin);
    await rowsOf(app.db, later.id);
    for (const { id } of reads) expect(await auditRows(app.db, id)).toEqual([]);
  });
});

describe('what operators do', () => {
  let dataDir: string;
  beforeAll(async () => (dataDir = await mkdtemp(join(tmpdir(), 'audit-operator-'))));
  afterAll(() => rm(dataDir, { recursive: true }));

  const run = async (...args: readonly string[]) => {
    const env = {
      DATABASE_URL: app.database.url,
      SECRET_KEY: 'a-secret-key-of-tests-0123456789',
      DATA_DIR: dataDir,
    };
    return JSON.parse(await runCommand([...args], env)) as Readonly<Record<string, string>>;
  };
  const byOperator = {
    actor: { kind: 'operator', user_id: null, key_prefix: null, session: false },
    outcome: 'success',
    status: null,
    request_id: null,
  };

  it('leaves rows, with what it changed and in which organization', async () => {
    let orgId = '';
    const made = await rowsFrom(async () => {
      const result = await run('org:create', '--name', 'Ours', '--owner-email', 'owner@example.org');
      orgId = result['org_id'] ?? '';
    });
    const target = { type: 'organization', id: orgId };
    expect(made).toMatchObject([{ ...byOperator, action: 'org:create', org_id: orgId, target }]);
    const person = await makeMember(app.db, admin.orgId);
    const { id: keyId } = await makeKey(app.db, person.id, { orgId: admin.orgId });
    const revoked = await rowsFrom(() => run('key:revoke', '--id', String(keyId)));
    expect(revoked).toMatchObject([
      {
        ...byOperator,
        action: 'key:revoke',
        org_id: admin.orgId,
        changes: [{ table: 'api_keys', id: String(keyId), after: null }],
      },
    ]);
    const disabled = await rowsFrom(() => run('user:disable', '--email', person.email));
    expect(disabled).toMatchObject([
      { ...byOperator, action: 'user:disable', target: { type: 'user', id: person.id } },
    ]);
    expect(JSON.stringify([made, revoked, disabled])).not.toContain('@example');
  });

  it('leaves none where it only looks', async () => {
    for (const command of ['org:list', 'user:list', 'key:list'])
      expect(await rowsFrom(() => run(command))).toEqual([]);
  });
});

describe('what the service does by itself', () => {
  const bySystem = {
    actor: { kind: 'system', user_id: null, key_prefix: null, session: false },
    outcome: 'success',
    status: null,
    request_id: null,
  };

  it('leaves rows: a webhook that only fails is disabled', async () => {
    const org = await WebhookOrg.make(app);
    const { id } = await org.webhook();
    const rows = await rowsFrom(() =>
      app.db.transaction((transaction) =>
        app.app.get(WebhookDisabling, { strict: false }).disable(transaction, id, 'failing'),
      ),
    );
    expect(rows).toMatchObject([
      {
        ...bySystem,
        action: 'webhook.disabled',
        org_id: org.id,
        code: 'failing',
        target: { type: 'webhook', id },
      },
    ]);
  });

  it('leaves rows: keys that were replaced end', async () => {
    const key = await makeKey(app.db, admin.userId, {
      orgId: admin.orgId,
      expiresAt: new Date(Date.now() - 1_000),
    });
    await app.db.query('UPDATE api_keys SET rotated_at = now() WHERE id = $1', [key.id]);
    const rows = await rowsFrom(() => runNow(app.db, 'rotated-keys-clean-up'));
    expect(rows).toMatchObject([
      {
        ...bySystem,
        action: 'api_key.ended',
        org_id: admin.orgId,
        target: { type: 'key', id: String(key.id) },
      },
    ]);
  });

  it('leaves none where there was nothing to do', async () => {
    expect(await rowsFrom(() => runNow(app.db, 'rotated-keys-clean-up'))).toEqual([]);
    expect(await rowsFrom(() => runNow(app.db, 'invitations-clean-up'))).toEqual([]);
  });
});
