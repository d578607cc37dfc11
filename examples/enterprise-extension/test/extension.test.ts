import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { after, before, it } from 'node:test';
import { checkBody, eventually, ServiceProcess, ServiceUnderTest } from 'org-conversation-service/testing';
import type { Answer } from 'org-conversation-service/testing';
import { badgeOf } from '../src/adapters/badge.verifier';
import { BudgetSet } from '../src/budgets/budgets.controller';

const SECRET = 'secret-of-badges-0123456789';
const SOON = new Date(Date.now() + 3_600_000);
const EMAIL = 'robin@example.com';

/** Bodies of callbacks. */
const callbacks: unknown[] = [];
/** What takes callbacks, and a model that thinks for as long as it is asked: agents run until they are interrupted. */
const elsewhere = createServer((request, response) => {
  if (request.url !== '/callbacks') return;
  void json(request).then((body) => callbacks.push(body) && response.writeHead(204).end());
});
let folder: string;
let host: string;
let settings: Record<string, string>;
let service: ServiceUnderTest;
let orgId: string;
let ownerId: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'enterprise-extension-'));
  await once(elsewhere.listen(0, '127.0.0.1'), 'listening');
  host = `127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
  settings = {
    DATA_DIR: join(folder, 'data'),
    EXTENSIONS: './dist/src/extension.js',
    SANDBOX_DRIVER: 'acme-machines',
    ACME_BADGE_SECRET: SECRET,
    ACME_OUTBOX: join(folder, 'outbox'),
    LLM_MODEL: 'openai/slow',
    LLM_BASE_URL: `http://${host}`,
    WEBHOOK_ALLOWED_HOSTS: host,
  };
  service = await ServiceUnderTest.start({ settings });
  const { body } = await service.call('GET', '/api/v1/users/me');
  ({ org_id: orgId, id: ownerId } = body as { org_id: string; id: string });
});

after(async () => {
  await service.stop();
  elsewhere.close().closeAllConnections();
  await rm(folder, { recursive: true, force: true });
});

const budgets = (): string => `/api/organizations/${orgId}/acme-budgets`;
const setLimit = (limit_dollars: number, as = service.key): Promise<Answer> =>
  service.call('PUT', `${budgets()}/research`, { as, body: { limit_dollars, user_ids: [ownerId] } });
const dataOf = (callback: unknown): unknown => (callback as { data: unknown }).data;
const spent = async (): Promise<unknown> => (await service.call('GET', budgets())).body;
const badge = (email = EMAIL, end = SOON, secret = SECRET): string => badgeOf(email, end, secret);

it('has routes, a permission and tables of its own', async () => {
  const budget = { department: 'research', limit_dollars: 5, spent_dollars: 0 };
  const set = await setLimit(5);
  assert.deepEqual([set.status, set.body], [200, [budget]]);
  const wrong = { limit_dollars: -1, user_ids: [] };
  const refused = await service.call('PUT', `${budgets()}/research`, { body: wrong });
  assert.deepEqual([refused.status, refused.body], [422, checkBody(BudgetSet, wrong)]);
  const stranger = { limit_dollars: 1, user_ids: ['3f333df6-90a4-4fda-8dd3-9485d27cee36'] };
  assert.equal((await service.call('PUT', `${budgets()}/sales`, { body: stranger })).status, 404);
  assert.deepEqual(await spent(), [budget]);
  assert.deepEqual(await service.cli('migrate'), { migrations: [] });
});

it('lets users in with a badge, who may do what their role allows', async () => {
  await service.cli('member:add', '--org', orgId, '--email', EMAIL, '--role', 'member');
  const status = async (as: string): Promise<number> => (await service.call('GET', budgets(), { as })).status;
  assert.equal(await status(badge()), 200);
  assert.equal((await setLimit(1_000, badge())).status, 403);
  const nobody = badge('nobody@example.com');
  for (const wrong of [badge(EMAIL, SOON, 'another'), badge(EMAIL, new Date(0)), nobody])
    assert.equal(await status(wrong), 401);
});

it('records what conversations cost, interrupts them beyond the limit, and lets none begin', async () => {
  const initial_message = { content: [{ type: 'text', text: 'Think.' }] };
  const webhook = { url: `http://${host}/callbacks`, kinds: ['acme.budget_spent'] };
  assert.equal(
    (await service.call('POST', `/api/organizations/${orgId}/webhooks`, { body: webhook })).status,
    201,
  );
  const id = await service.startConversation({ initial_message });
  await service.happened(orgId, 'conversation.status_changed', { execution_status: 'running' });
  let reports = 0;
  const report = (accumulated_cost: number): Promise<void> =>
    service.report(id, {
      ...{ id: `stats-${++reports}`, kind: 'ConversationStateUpdateEvent', source: 'environment' },
      ...{ timestamp: new Date().toISOString(), key: 'stats' },
      value: { usage_to_metrics: { agent: { accumulated_cost } } },
    });
  const isSpent = (spent_dollars: number): Promise<void> =>
    eventually(async () =>
      assert.deepEqual(await spent(), [{ department: 'research', limit_dollars: 5, spent_dollars }]),
    );
  await report(1.5);
  await isSpent(1.5);
  await report(6);
  await isSpent(6);
  const event = { org_id: orgId, department: 'research', dollars: 6 };
  await service.happened(orgId, 'acme.budget_spent', event);
  await eventually(() => Promise.resolve(assert.deepEqual(callbacks.map(dataOf), [event])));
  // What its agent server itself reports.
  await service.happened(orgId, 'event.received', { conversation_id: id, event_kind: 'InterruptEvent' });
  const { status, body } = await service.call('POST', '/api/v1/app-conversations', { body: {} });
  const detail = 'The budget of the department research is spent.';
  assert.deepEqual([status, body], [409, { code: 'acme_budget_spent', detail }]);
  const metrics = await fetch(`${service.url}/metrics`);
  assert.match(await metrics.text(), /^acme_spent_dollars_total 6$/m);
  assert.deepEqual(await service.cli('acme:report', '--org', orgId), { budgets: await spent() });
});

it('sends mail by a transport of its own, and is not ready without its folder', async () => {
  const outbox = settings.ACME_OUTBOX ?? '';
  await rm(outbox, { recursive: true, force: true });
  await writeFile(outbox, 'in the way');
  await eventually(async () => {
    const { status, body } = await service.call('GET', '/ready');
    assert.equal(status, 503);
    assert.match(JSON.stringify(body), /acme\.outbox/);
  });
  await rm(outbox);
  const path = `/api/organizations/${orgId}/members/invite`;
  const { status, body } = await service.call('POST', path, { body: { emails: ['new@example.com'] } });
  assert.equal(status < 300, true, JSON.stringify(body));
  await eventually(async () => {
    const [file = ''] = await readdir(outbox);
    const email = JSON.parse(await readFile(join(outbox, file), 'utf8')) as { to: string };
    assert.equal(email.to, 'new@example.com');
  });
});

it('ends with everything it started, and is started by a program of its own, too', async () => {
  const pidOfPostgres = async (): Promise<number> => {
    const file = join(folder, 'data', 'postgres', 'data', 'postmaster.pid');
    return Number((await readFile(file, 'utf8')).split('\n')[0]);
  };
  const isGone = (pid: number): void => assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
  const pid = await pidOfPostgres();
  await service.stop();
  isGone(pid);
  const ownProgram = await ServiceProcess.start({ ...settings, EXTENSIONS: '' }, ['dist/src/program.js']);
  const answer = await fetch(ownProgram.url + budgets(), { headers: { 'X-Access-Token': service.key } });
  assert.equal(answer.status, 200);
  const next = await pidOfPostgres();
  assert.equal(await ownProgram.stop(), 0);
  isGone(next);
});
