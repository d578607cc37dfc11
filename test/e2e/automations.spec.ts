import {
  createServer,
  type IncomingHttpHeaders,
  IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import { BrowserSessions } from '../../src/accounts/api-keys';
import { AuthCaches, Authentication } from '../../src/kernel/auth';
import { startTestApp, type TestApp } from '../support/service/app';
import { makeCaller, makeKey, makeOrg, type TestCaller } from '../support/service/factories';
import { call, type CallOptions, type ErrorBody } from '../support/service/http';
import { letIn } from '../support/sign-in/link-credentials';

interface Passed {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface ListedKey {
  readonly id: number;
  readonly name: string;
  readonly org_id: string | null;
  readonly expires_at: string | null;
}

describe('calls to /api/automation, where AUTOMATION_URL is set', () => {
  let received: Passed[];
  let answer: (response: ServerResponse) => void;
  let automations: Server;
  let app: TestApp;
  let member: TestCaller;

  beforeAll(async () => {
    automations = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method = '', url = '', headers } = request;
        received.push({ method, url, headers, body: Buffer.concat(chunks).toString('latin1') });
        answer(response);
      });
    });
    await new Promise<void>((resolve) => automations.listen(0, '127.0.0.1', resolve));
    const { port } = automations.address() as AddressInfo;
    const AUTOMATION_URL = `http://127.0.0.1:${port}/below/`;
    app = await startTestApp({ env: { APP_ROLE: 'api', AUTOMATION_URL, SEND_TIMEOUT_SECONDS: '1' } });
  });
  afterAll(async () => {
    await app.close();
    await new Promise((resolve) => {
      automations.close(resolve);
      automations.closeAllConnections();
    });
  });
  beforeEach(async () => {
    received = [];
    answer = (response) => response.setHeader('Content-Type', 'application/json').end('{"status":"ok"}');
    member = await makeCaller(app.db, (await makeOrg(app.db)).id);
  });

  const ask = (method: string, path: string, options: CallOptions = {}) =>
    call<ErrorBody>(app, method, path, { key: member.key, ...options });
  const keyOf = ({ headers }: Passed): string => /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
  const sessionOf = async (key: string): Promise<string> => {
    const verified = await app.app.get(Authentication).userOfKey(key, new IncomingMessage(new Socket()));
    return app.app.get(BrowserSessions).start(verified, 'A browser');
  };
  const ofPage = (token: string): Record<string, string> => ({
    Cookie: `ocs_session=${token}`,
    'Sec-Fetch-Site': 'same-origin',
  });

  it('are refused to whom the link of an administrator let in, and with keys made so', async () => {
    const { id: orgId } = await makeOrg(app.db);
    const [admin, colleague] = [await makeCaller(app.db, orgId, 'owner'), await makeCaller(app.db, orgId)];
    const { session: headers, key } = await letIn(app, admin, colleague.userId);
    for (const options of [{ headers }, { key }])
      expect(await call(app, 'GET', '/api/automation/v1', options)).toMatchObject({
        status: 403,
        body: { code: 'signed_in_by_link' },
      });
    expect(received).toEqual([]);
  });

  it('are passed on as they are, and so is the answer', async () => {
    answer = (response) =>
      response.writeHead(201, { 'Content-Type': 'text/plain', ETag: '"1"' }).end('It is made.');
    const raw = Buffer.from([0, 255, 128]);
    const headers = { 'Content-Type': 'application/gzip', 'X-OpenHands-Client': 'test' };
    const made = await ask('POST', '/api/automation/v1/uploads?name=a%20b', { raw, headers });
    expect([made.status, made.body, made.headers.etag]).toEqual([201, 'It is made.', '"1"']);
    expect(received).toMatchObject([
      {
        method: 'POST',
        url: '/below/api/automation/v1/uploads?name=a%20b',
        body: raw.toString('latin1'),
        headers: { 'content-type': 'application/gzip', 'x-openhands-client': 'test' },
      },
    ]);
  });

  it('carry a key of the member that works for minutes, in the effective organization only', async () => {
    const key = await makeKey(app.db, member.userId, {});
    await ask('GET', '/api/automation/health', { key: key.key, headers: { 'X-Org-Id': member.orgId } });
    await ask('GET', '/api/automation/v1', { key: key.key, headers: { 'X-Org-Id': member.orgId } });
    const [lent, again] = received.map(keyOf);
    expect(again).toBe(lent);
    const current = await ask('GET', '/api/keys/current', { key: lent ?? '' });
    expect(current.body).toMatchObject({ user_id: member.userId, bound_org_id: member.orgId });
    const { body } = await call<ListedKey[]>(app, 'GET', '/api/keys', { key: member.key });
    const listed = body.find(({ name }) => name === 'Passed on to automations');
    const minutes = (Date.parse(listed?.expires_at ?? '') - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(9);
    expect(minutes).toBeLessThanOrEqual(10);
  });

  it('carry none with more scopes than the caller’s own', async () => {
    const scopes = ['view_automations', 'manage_automations'];
    const { key } = await makeKey(app.db, member.userId, { orgId: member.orgId, scopes });
    expect((await ask('GET', '/api/automation/v1', { key })).status).toBe(200);
    const { body } = await call<ListedKey[]>(app, 'GET', '/api/keys', { key: member.key });
    expect(body.find(({ name }) => name === 'Passed on to automations')).toMatchObject({ scopes });
  });

  it('carry none that works longer than the caller’s own', async () => {
    const expiresAt = new Date(Date.now() + 60_000);
    const key = await makeKey(app.db, member.userId, { orgId: member.orgId, expiresAt });
    await ask('GET', '/api/automation/v1', { key: key.key });
    const { body } = await call<ListedKey[]>(app, 'GET', '/api/keys', { key: member.key });
    expect(body.find(({ name }) => name === 'Passed on to automations')?.expires_at).toBe(
      expiresAt.toISOString(),
    );
  });

  it('carry neither the caller’s credentials nor anything of their network', async () => {
    await call(app, 'GET', '/api/automation/v1', {
      headers: {
        ...ofPage(await sessionOf(member.key)),
        'X-Org-Id': member.orgId,
        'X-Forwarded-For': '10.0.0.1',
        Forwarded: 'for=10.0.0.1',
        Referer: app.url,
        'X-Service-API-Key': 'a',
        'Proxy-Authorization': 'b',
      },
    });
    const [{ headers } = { headers: {} }] = received;
    expect(Object.keys(headers).sort()).toEqual(['authorization', 'connection', 'host']);
    expect(JSON.stringify(headers)).not.toContain(member.key);
  });

  it('need a member, and of a session a page of the service', async () => {
    expect((await call(app, 'GET', '/api/automation/v1')).status).toBe(401);
    const stranger = await makeCaller(app.db, (await makeOrg(app.db)).id);
    const headers = { 'X-Org-Id': member.orgId };
    expect((await ask('GET', '/api/automation/v1', { key: stranger.key, headers })).status).toBe(403);
    const session = { ...ofPage(await sessionOf(member.key)), 'Sec-Fetch-Site': 'cross-site' };
    expect((await call(app, 'GET', '/api/automation/v1', { headers: session })).status).toBe(401);
    expect(received).toEqual([]);
  });

  it('of a session change nothing an hour after its sign-in', async () => {
    const headers = ofPage(await sessionOf(member.key));
    const create = () =>
      call<ErrorBody>(app, 'POST', '/api/automation/v1/preset/prompt', {
        headers,
        body: { name: 'Gardener' },
      });
    expect((await create()).status).toBe(200);
    await app.db.query(`UPDATE browser_sessions SET created_at = now() - interval '61 minutes'`);
    app.app.get(AuthCaches).clear();
    const late = await create();
    expect([late.status, late.body.code]).toEqual([403, 'sign_in_again']);
    expect((await call(app, 'GET', '/api/automation/v1', { headers })).status).toBe(200);
  });

  it('are a 503 while there is no answer, or the key that was made for them is refused', async () => {
    answer = (response) => response.destroy();
    const broken = await ask('GET', '/api/automation/v1');
    expect([broken.status, broken.body.code]).toEqual([503, 'automations_unavailable']);
    answer = () => undefined;
    expect((await ask('GET', '/api/automation/v1')).status).toBe(503);
    answer = (response) => response.writeHead(401).end();
    expect((await ask('GET', '/api/automation/v1')).status).toBe(503);
    answer = (response) => response.end();
    expect((await ask('GET', '/api/automation/v1')).status).toBe(200);
    const [, , refused, other] = received.map(keyOf);
    expect(other).not.toBe(refused);
  });

  it('lead nowhere else, and carry 2 MiB at most', async () => {
    for (const path of ['/api/automation/..%2f..%2fadmin', '/api/automation/%252e%252e/x'])
      expect((await ask('GET', path)).body.code).toBe('path_not_passable');
    const raw = Buffer.alloc(2 * 1024 * 1024 + 1);
    expect((await ask('POST', '/api/automation/v1/uploads', { raw })).status).toBe(413);
    expect(received).toEqual([]);
  });

  it('pass nothing back that acts in the name of the service', async () => {
    answer = (response) =>
      response
        .writeHead(302, {
          'Set-Cookie': 'ocs_session=x',
          Location: 'https://evil.example',
          'X-Accel-Redirect': '/',
        })
        .end('<script>');
    const { status, headers } = await ask('GET', '/api/automation/v1');
    expect(status).toBe(302);
    expect(headers).not.toHaveProperty('set-cookie');
    expect(headers).not.toHaveProperty('location');
    expect(headers).not.toHaveProperty('x-accel-redirect');
    expect(headers['content-security-policy']).toBe('sandbox');
  });
});
