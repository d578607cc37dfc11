import { randomBytes } from 'node:crypto';
import { inSpan, startTelemetry, type Telemetry } from '../../../src/kernel/telemetry';
import { sendTo } from '../../support/agent-server/agent-server-calls';
import { eventually } from '../../support/eventually';
import { TestGitServer } from '../../support/git/git-server';
import { manifest } from '../../support/git/marketplaces';
import { ProviderDouble } from '../../support/git/provider-double';
import { type SmtpSink, startSmtpSink } from '../../support/invitations/smtp-sink';
import { QueueCalls, saying } from '../../support/queue/queued-messages';
import { makeMember } from '../../support/service/factories';
import { call } from '../../support/service/http';
import { OtlpReceiver, type ReceivedSpan } from '../../support/telemetry/otlp-receiver';
import { CallbackReceiver } from '../../support/webhooks/callback-receiver';

const GIT_TOKEN = `a git token ${randomBytes(8).toString('hex')}`.replaceAll(' ', '-');
const MESSAGE = `a message ${randomBytes(8).toString('hex')}`;

describe('traces', () => {
  let collector: OtlpReceiver;
  let mails: SmtpSink;
  let git: TestGitServer;
  let provider: ProviderDouble;
  let callbacks: CallbackReceiver;
  let telemetry: Telemetry;
  let queues: QueueCalls;

  beforeAll(async () => {
    collector = await OtlpReceiver.start();
    mails = await startSmtpSink();
    git = await TestGitServer.start();
    provider = await ProviderDouble.start();
    callbacks = await CallbackReceiver.start();
    Object.assign(process.env, {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_BSP_SCHEDULE_DELAY: '100',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=tests',
    });
    telemetry = await startTelemetry(process.env, { info: fail, warn: fail });
    queues = await QueueCalls.start({
      SMTP_URL: mails.url,
      MAIL_FROM: 'service@example.com',
      GIT_ALLOWED_HOSTS: `${git.host},${provider.host}`,
      WEBHOOK_ALLOWED_HOSTS: callbacks.host,
    });
  });
  afterAll(async () => {
    await queues.close();
    await telemetry.stop();
    await Promise.all([callbacks.stop(), git.close(), provider.close(), mails.close(), collector.stop()]);
  });

  const owner = () => queues.doubled.service.owner;

  /** A request with a trace of its own. @returns the id of the trace */
  async function traced(method: string, path: string, body?: unknown, key = owner().key): Promise<string> {
    const traceId = randomBytes(16).toString('hex');
    const headers = { traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01` };
    const response = await call(queues.doubled.service.app, method, path, { key, body, headers });
    if (response.status >= 300) throw new Error(`${response.status} ${JSON.stringify(response.body)}`);
    return traceId;
  }

  const named = (traceId: string, name: string): Promise<ReceivedSpan> =>
    collector.span((span) => span.traceId === traceId && span.name === name);

  /** Waits for what a span is a part of, which ends after it. */
  const leads = (span: ReceivedSpan, names: readonly unknown[]): Promise<void> =>
    eventually(() => expect(collector.way(span)).toEqual(names));

  /** Calls that an agent server has seen. */
  const traceparents = (conversationId: string): (string | undefined)[] =>
    queues.doubled.double.arrived(sendTo(conversationId)).map(({ traceparent }) => traceparent);

  it('have a span for a request, named by its route, in the trace of the caller', async () => {
    const { id } = await queues.waiting();
    const traceId = await traced('GET', `/api/v1/conversations/${id}/pending-messages?state=queued`);
    const span = await named(traceId, 'GET /api/v1/conversations/:conversation_id/pending-messages');
    expect(span).toMatchObject({ kind: 2, failed: false });
    expect(span.attributes).toEqual({
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'http.route': '/api/v1/conversations/:conversation_id/pending-messages',
      'network.protocol.version': '1.1',
      'url.scheme': 'http',
      'gen_ai.conversation.id': id,
    });
    expect(span.resource).toMatchObject({
      'service.name': 'org-conversation-service',
      'deployment.environment.name': 'tests',
    });
    const query = await collector.span((one) => one.traceId === traceId && 'db.query.text' in one.attributes);
    expect(query).toMatchObject({ kind: 3, attributes: { 'db.system.name': 'postgresql' } });
    expect(query.parentId).toBe(span.spanId);
  });

  it('follow a message from its request over its delivery to the agent server', async () => {
    const { id } = await queues.doubled.conversation();
    const traceId = await traced('POST', `/api/v1/conversations/${id}/pending-messages`, saying(MESSAGE));
    const sent = await named(traceId, 'POST /api/conversations/{id}/events');
    await leads(sent, [
      'POST /api/v1/conversations/:conversation_id/pending-messages',
      'process pending_messages',
      'POST /api/conversations/{id}/events',
    ]);
    expect(sent.attributes).toMatchObject({
      'http.response.status_code': 200,
      'server.address': '127.0.0.1',
    });
    expect(traceparents(id)).toEqual([`00-${traceId}-${sent.spanId}-01`]);
  });

  it('follow a change over the log of domain events to the jobs of its listeners', async () => {
    const { service } = queues.doubled;
    const { id } = await makeMember(service.app.db, owner().orgId);
    const traceId = await traced('DELETE', `/api/organizations/${owner().orgId}/members/${id}`);
    for (const job of ['process member-removed', 'process member-removed:messages'])
      await leads(await named(traceId, job), ['DELETE /api/organizations/:org_id/members/:user_id', job]);
  });

  it('follow a start over its job to the agent server', async () => {
    const traceId = await traced('POST', '/api/v1/app-conversations', {});
    const started = await named(traceId, 'POST /api/conversations');
    // A part of the request, whatever had its job run again: the sandbox that got ready, or a run that was overdue.
    await leads(started, [
      'POST /api/v1/app-conversations',
      'process start-conversation',
      'POST /api/conversations',
    ]);
  });

  it('follow an invitation over its job to the mail server', async () => {
    const { orgId } = owner();
    const body = { emails: ['somebody@example.org'] };
    const traceId = await traced('POST', `/api/organizations/${orgId}/members/invite`, body);
    const mail = await named(traceId, 'send mail');
    await leads(mail, [
      'POST /api/organizations/:org_id/members/invite',
      expect.stringMatching(/^process /) as string,
      'send mail',
    ]);
    expect(mail.attributes).toEqual({
      'network.protocol.name': 'smtp',
      'server.address': '127.0.0.1',
      'server.port': mails.port,
    });
  });

  it('have a span for each git of a preview, without the address of the repository', async () => {
    const skills = manifest([{ name: 'review', description: 'Reviews.' }]);
    await git.repository('secret-market', { '.claude-plugin/marketplace.json': skills });
    const source = git.url('secret-market');
    const traceId = await traced('POST', '/api/v1/skills/marketplace-skills', [{ name: 'team', source }]);
    const fetched = await named(traceId, 'git fetch');
    await leads(fetched, ['POST /api/v1/skills/marketplace-skills', 'git fetch']);
    expect(fetched.attributes).toEqual({ 'process.executable.name': 'git' });
  });

  it('have a span for each call of a git provider, which hears of no trace and is named by its host only', async () => {
    const { key } = owner();
    provider.tokens.set(GIT_TOKEN, { repositories: ['secret-team/secret-project'], branches: ['main'] });
    const credential = { url_prefix: `${provider.origin}/secret-team`, username: 'bot', password: GIT_TOKEN };
    const { app } = queues.doubled.service;
    const body = { ...credential, git_provider: 'github' };
    expect((await call(app, 'POST', '/api/v1/git/credentials', { key, body })).status).toBe(201);
    const traceId = await traced(
      'GET',
      '/api/v1/git/repositories/search?provider=github&query=secret-project',
    );
    const asked = await named(traceId, 'GET');
    await leads(asked, ['GET /api/v1/git/repositories/search', 'GET']);
    expect(asked).toMatchObject({ kind: 3, failed: false });
    expect(asked.attributes).toEqual({ 'http.request.method': 'GET', 'server.address': '127.0.0.1' });
    expect(new Set(provider.requests.map(({ traceparent }) => traceparent))).toEqual(new Set([undefined]));
  });

  it('have a span for a callback, which says nothing of traces to the endpoint', async () => {
    const { orgId } = owner();
    const hook = { url: callbacks.url('/secret-path'), kinds: ['message.delivered'] };
    await traced('POST', `/api/organizations/${orgId}/webhooks`, hook);
    const { id } = await queues.doubled.conversation();
    await eventually(async () => {
      await queues.queued(id, ['tell about this']);
      await eventually(() => expect(callbacks.received.length).toBeGreaterThan(0), 3_000);
    });
    const span = await collector.span(({ name }) => name === 'POST callback');
    expect(span).toMatchObject({ kind: 3, parentId: '' });
    expect(span.attributes).toMatchObject({ 'gen_ai.conversation.id': id, 'http.response.status_code': 204 });
    expect(callbacks.received.flatMap(({ headers }) => Object.keys(headers))).not.toContain('traceparent');
  });

  it('pass through the door to the agent server', async () => {
    const { sandboxId } = await queues.doubled.conversation();
    const traceId = await traced(
      'GET',
      `/api/v1/sandboxes/${sandboxId}/agent-server/server_info?ticket=private`,
    );
    const span = await named(traceId, 'GET /api/v1/sandboxes/:sandbox_id/agent-server/*path');
    const [arrived] = queues.doubled.double.arrived(
      ({ path, traceparent }) => path === '/server_info' && traceparent !== undefined,
    );
    expect(arrived?.traceparent).toBe(`00-${traceId}-${span.spanId}-01`);
  });

  it('begin with requests that bring none, and are not recorded where the caller does not', async () => {
    const {
      app,
      owner: { key },
    } = queues.doubled.service;
    await call(app, 'GET', '/api/v1/users/me', { key, headers: { traceparent: 'nonsense' } });
    const unsampled = randomBytes(16).toString('hex');
    const headers = { traceparent: `00-${unsampled}-${randomBytes(8).toString('hex')}-00` };
    await call(app, 'GET', '/api/v1/users/me', { key, headers });
    const after = await traced('GET', '/api/v1/users/me');
    await collector.span(({ traceId, kind }) => traceId === after && kind === 2);
    expect(collector.spans.filter(({ traceId }) => traceId === unsampled)).toEqual([]);
    const begun = collector.spans.filter(
      ({ name, parentId }) => name === 'GET /api/v1/users/me' && parentId === '',
    );
    expect(begun).toHaveLength(1);
  });

  it('say of a request that failed only with which status', async () => {
    const { id } = await queues.doubled.conversation({ sandbox: { baseUrl: 'http://127.0.0.1:9' } });
    const path = `/api/v1/app-conversations/${id}/send-message`;
    const { key } = owner();
    const traceId = randomBytes(16).toString('hex');
    const headers = { traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01` };
    const body = { role: 'user', content: [{ type: 'text', text: MESSAGE }] };
    const { status } = await call(queues.doubled.service.app, 'POST', path, { key, headers, body });
    expect(status).toBe(503);
    const failed = await collector.span((span) => span.traceId === traceId && span.kind === 2);
    expect(failed).toMatchObject({ failed: true, attributes: { 'error.type': '503' } });
    const calls = collector.spans.filter(
      (span) => span.traceId === traceId && span.failed && span.kind === 3,
    );
    expect(calls).not.toEqual([]);
    for (const { attributes } of calls) expect(attributes['error.type']).toMatch(/^\w+$/);
  });

  it('have the text of a statement without what is written in it, and the code of its error', async () => {
    const { db } = queues.doubled.service.app;
    await inSpan('a test', { parent: null }, async () => {
      await db.query(`SELECT 'private' AS one, $1::text FROM organizations`, ['private']);
      await expect(db.query(`SELECT 'private'::uuid`)).rejects.toThrow('private');
    });
    const plain = await collector.span(
      ({ attributes }) => attributes['db.query.text'] === 'SELECT ? AS one, $1::text FROM organizations',
    );
    expect(plain).toMatchObject({ name: 'SELECT organizations', failed: false });
    const failed = await collector.span(({ attributes }) => attributes['db.query.text'] === 'SELECT ?::uuid');
    expect(failed).toMatchObject({ failed: true, attributes: { 'error.type': '22P02' } });
  });

  it('have no key, ticket, address or text of anybody', () => {
    const { double, service } = queues.doubled;
    const secrets = [
      owner().key,
      double.target.apiKey,
      MESSAGE,
      'private',
      'secret-market',
      'secret-path',
      'secret-team',
      GIT_TOKEN,
    ];
    const told = [...secrets, 'somebody@example.org', owner().email, service.owner.key.slice(-20)];
    expect(told.filter((secret) => collector.raw.includes(secret))).toEqual([]);
    expect(collector.raw).toContain('/api/v1/app-conversations');
  });

  it('keep probes out', async () => {
    for (const path of ['/alive', '/ready', '/health', '/server_info', '/metrics'])
      await call(queues.doubled.service.app, 'GET', path);
    const after = await traced('GET', '/api/v1/users/me');
    await collector.span(({ traceId, kind }) => traceId === after && kind === 2);
    const requests = collector.spans.filter(({ kind }) => kind === 2).map(({ name }) => name);
    expect(requests.filter((name) => /alive|ready$|health$|server_info$|metrics/.test(name))).toEqual([]);
  });
});

function fail(message: string): void {
  throw new Error(message);
}
