import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { eventually } from '../../support/eventually';
import { begin, TestSocket } from '../../support/sandbox-access/door-calls';
import { RawClient, rawRequest } from '../../support/sandbox-access/raw-client';
import { DoorService } from '../../support/sandbox-access/door-service';
import { storeConversation } from '../../support/queue/conversation-rows';
import { makeCaller, type TestCaller } from '../../support/service/factories';
import { call, type ErrorBody } from '../../support/service/http';
import { startSession } from '../../support/web-interface/browser-cookie';

describe('a sandbox that does not run', () => {
  let service: DoorService;
  beforeAll(async () => {
    service = await DoorService.start();
  });
  afterAll(() => service.close());

  it.each([
    ['PAUSED', undefined, 409, 'sandbox_not_running', 'PAUSED'],
    ['PAUSED', 'pause', 409, 'sandbox_not_running', 'STOPPING'],
    ['PAUSED', 'delete', 409, 'sandbox_not_running', 'STOPPING'],
    ['STARTING', undefined, 409, 'sandbox_not_running', 'STARTING'],
    ['ERROR', undefined, 503, 'sandbox_error', 'ERROR'],
    ['MISSING', undefined, 404, 'sandbox_not_found', ''],
  ] as const)('%s (%s) is a %i, as for a message', async (status, stopping, expected, code, word) => {
    const { key } = service.owner;
    const sandbox = await service.sandbox({ status, ...(stopping !== undefined && { stopping }) });
    const answer = await call<ErrorBody>(service.app, 'POST', `${sandbox.door}/x`, { key, body: {} });
    expect([answer.status, answer.body.code]).toEqual([expected, code]);
    expect(answer.body.detail).toContain(word);
    const url = service.socketUrl(sandbox, '/sockets/x');
    expect(await TestSocket.refused(url, { 'X-Access-Token': key })).toBe(expected);
    const client = await TestSocket.open(url);
    client.authenticate(key);
    expect((await client.closed).code).toBe({ 409: 4009, 503: 1013, 404: 4004 }[expected]);
    expect(service.far.received).toEqual([]);
  });

  it('PAUSED names the path that resumes it', async () => {
    const sandbox = await service.sandbox({ status: 'PAUSED' });
    const { body } = await call<ErrorBody>(service.app, 'GET', `${sandbox.door}/x`, {
      key: service.owner.key,
    });
    expect(body.detail).toContain(`POST /api/v1/sandboxes/${sandbox.id}/resume`);
  });
});

describe('an agent server that several sandboxes share', () => {
  let service: DoorService;
  beforeAll(async () => {
    service = await DoorService.start({
      SANDBOX_DRIVER: 'external',
      AGENT_SERVER_URL: 'http://127.0.0.1:9',
      EXTERNAL_ORG_ID: '*',
      AGENT_SERVER_API_KEY: 'the-shared-key',
    });
  });
  afterAll(() => service.close());

  it('is reached for what concerns conversations of the sandbox, and for nothing else', async () => {
    const { owner, far, app } = service;
    const sandbox = await service.sandbox({ driver: 'external' });
    const colleague = await makeCaller(app.db, owner.orgId);
    const theirs = await service.sandbox({ driver: 'external', owner: colleague });
    const conversationOf = async (sandboxId: string, userId: string) => {
      const fields = { org_id: owner.orgId, created_by_user_id: userId, sandbox_id: sandboxId };
      return (await storeConversation(app.db, fields)).id;
    };
    const own = await conversationOf(sandbox.id, owner.userId);
    const foreign = await conversationOf(theirs.id, colleague.userId);
    const get = async (path: string) => {
      const headers = { 'X-Expose-Secrets': 'plaintext' };
      return (await call(app, 'GET', sandbox.door + path, { key: owner.key, headers })).status;
    };
    const passing = [
      '/server_info',
      `/api/conversations/${own}`,
      `/api/conversations/${own}/events/search?limit=1`,
      `/api/conversations/${own}/git/changes?path=workspace`,
    ];
    for (const path of passing) expect([path, await get(path)]).toEqual([path, 200]);
    expect(far.last.headers).toMatchObject({ 'x-session-api-key': 'the-shared-key' });
    expect(far.last.headers['x-expose-secrets']).toBeUndefined();
    const refused = [
      '/',
      '/api/conversations',
      `/api/conversations/${foreign}`,
      `/api/conversations/${randomUUID()}`,
      '/api/bash/execute_bash_command',
      '/api/settings',
      `/api/conversations/${own}%2f${foreign}`,
      ...['bash/execute_bash_command', 'bash', '/bash/bash_events/search', 'vscode/url'].map(
        (path) => `/api/conversations/${own}/${path}`,
      ),
      `/api/file/download?path=${own}`,
      `/api/conversations/${own}x`,
      `/sockets/bash-events`,
    ];
    for (const path of refused) expect([path, await get(path)]).toEqual([path, 403]);
    const socket = (id: string) => service.socketUrl(sandbox, `/sockets/events/${id}`);
    expect(await TestSocket.refused(socket(foreign), { 'X-Access-Token': owner.key })).toBe(403);
    const client = await TestSocket.open(socket(own), { 'X-Access-Token': owner.key });
    client.socket.terminate();
    // The web interface, which has no key for it.
    const atServer = far.nextSocket();
    const Cookie = await startSession(app, owner.key);
    const page = await TestSocket.open(socket(own), { Cookie, Origin: app.url });
    (await atServer).send('an event');
    expect(await page.first(1)).toEqual(['an event']);
    page.socket.terminate();
  });

  it('is not reached with its own key, which is of no one sandbox', async () => {
    const sandbox = await service.sandbox({ driver: 'external' });
    const headers = { 'X-Session-API-Key': 'the-shared-key' };
    const { status } = await call(service.app, 'GET', `${sandbox.door}/server_info`, { headers });
    expect(status).toBe(404);
  });
});

describe('what passes at a time', () => {
  let service: DoorService;
  beforeAll(async () => {
    service = await DoorService.start({
      DOOR_CONNECTIONS_PER_SANDBOX: '2',
      DOOR_CONNECTIONS_PER_USER: '3',
    });
  });
  /** One's own for each test: what ends with a test counts for a moment longer. */
  let owner: TestCaller;
  beforeEach(async () => {
    service.far.reset();
    owner = await makeCaller(service.app.db, service.owner.orgId);
  });
  afterAll(() => service.close());

  const refusalOf = async (door: string, key = owner.key) => {
    const { status, headers, body } = await call<ErrorBody>(service.app, 'GET', `${door}/x`, { key });
    return [status, body.code, headers['retry-after']];
  };

  it('is bounded for each sandbox and each user, requests and WebSockets together', async () => {
    const headers = { 'X-Access-Token': owner.key };
    const [first, second, third] = [
      await service.sandbox({ owner }),
      await service.sandbox({ owner }),
      await service.sandbox({ owner }),
    ];
    const sockets = [await TestSocket.open(service.socketUrl(first, '/x'), headers)];
    service.far.answer = () => undefined;
    const hanging = begin(`${service.app.url}${first.door}/hangs`, { headers });
    hanging.end();
    await eventually(() => expect(service.far.received).toHaveLength(1));
    expect(await refusalOf(first.door)).toEqual([429, 'door_connections_exceeded', '5']);
    expect(await TestSocket.refused(service.socketUrl(first, '/x'), headers)).toBe(429);
    sockets.push(await TestSocket.open(service.socketUrl(second, '/x'), headers));
    expect(await refusalOf(third.door)).toEqual([429, 'door_connections_exceeded', '5']);
    const colleague = await makeCaller(service.app.db, owner.orgId);
    const theirs = await service.sandbox({ owner: colleague });
    service.far.reset();
    expect((await refusalOf(theirs.door, colleague.key))[0]).toBe(200);
    // What ends makes room.
    hanging.destroy();
    for (const { socket } of sockets) socket.terminate();
    await eventually(async () => expect((await refusalOf(first.door))[0]).toBe(200));
  });

  it('counts until its caller has taken the whole response', async () => {
    const sandbox = await service.sandbox({ owner });
    const request = (path: string) =>
      rawRequest(`GET ${sandbox.door}/${path}`, [`X-Access-Token: ${owner.key}`]);
    service.far.answer = ({ url }, response) => {
      if (url !== '/slow') response.end('ok');
    };
    const client = await RawClient.connect(service.app.url);
    // The second is answered at once, and waits for the first.
    client.socket.write(request('slow') + request('x'));
    await eventually(() => expect(service.far.received).toHaveLength(2));
    for (let n = 0; n < 5; n++)
      expect(await refusalOf(sandbox.door)).toEqual([429, 'door_connections_exceeded', '5']);
    client.socket.destroy();
    await eventually(async () => expect((await refusalOf(sandbox.door))[0]).toBe(200));
  });

  it('counts while a body still comes that was answered before its end', async () => {
    const sandbox = await service.sandbox({ owner });
    service.far.answerEarly = (_request, response) => void response.writeHead(413).end();
    const headers = [`X-Access-Token: ${owner.key}`, 'Content-Length: 6'];
    const uploads = [];
    for (let n = 0; n < 2; n++) {
      const client = await RawClient.connect(service.app.url);
      client.socket.write(`${rawRequest(`POST ${sandbox.door}/x`, headers)}abc`);
      await client.has('HTTP/1.1 413');
      uploads.push(client);
    }
    service.far.reset();
    for (let n = 0; n < 5; n++)
      expect(await refusalOf(sandbox.door)).toEqual([429, 'door_connections_exceeded', '5']);
    const [first, second] = uploads;
    first?.socket.write('def');
    await eventually(async () => expect((await refusalOf(sandbox.door))[0]).toBe(200));
    second?.socket.destroy();
    first?.socket.destroy();
  });

  it('counts no longer when callers are reset in the middle of such a body, or their agent server is', async () => {
    const sandbox = await service.sandbox({ owner });
    const headers = [`X-Access-Token: ${owner.key}`, 'Content-Length: 6'];
    const upload = async () => {
      const client = await RawClient.connect(service.app.url);
      client.socket.write(`${rawRequest(`POST ${sandbox.door}/x`, headers)}abc`);
      return client;
    };
    service.far.answerEarly = (_request, response) => void response.writeHead(413).end();
    const answered = await upload();
    await answered.has('HTTP/1.1 413');
    service.far.answerEarly = ({ socket }) => void socket.destroy();
    const refused = await upload();
    await refused.has('HTTP/1.1 503');
    service.far.reset();
    expect(await refusalOf(sandbox.door)).toEqual([429, 'door_connections_exceeded', '5']);
    for (const { socket } of [answered, refused]) socket.resetAndDestroy();
    await eventually(async () => {
      const both = await Promise.all([refusalOf(sandbox.door), refusalOf(sandbox.door)]);
      expect(both.map(([status]) => status)).toEqual([200, 200]);
    });
  });

  it('is in the metrics: what is open, and the bytes that passed', async () => {
    const metric = async (line: string) => {
      const { body } = await call<string>(service.app, 'GET', '/metrics');
      return Number(
        body
          .split('\n')
          .find((each) => each.startsWith(`${line} `))
          ?.split(' ')[1],
      );
    };
    const [up, down] = [
      'door_bytes_total{direction="to_sandbox"}',
      'door_bytes_total{direction="to_caller"}',
    ];
    const openSockets = () => metric('door_connections{kind="websocket"}');
    // Nothing of other tests passes any more.
    await eventually(async () =>
      expect([await openSockets(), await metric('door_connections{kind="http"}')]).toEqual([0, 0]),
    );
    const before = [await metric(up), await metric(down)];
    const sandbox = await service.sandbox({ owner });
    const { key } = owner;
    const client = await TestSocket.open(service.socketUrl(sandbox, '/x'), { 'X-Access-Token': key });
    expect(await openSockets()).toBe(1);
    client.socket.terminate();
    service.far.answer = (_request, response) => void response.end('x'.repeat(10_000));
    await call(service.app, 'POST', `${sandbox.door}/x`, { key, raw: 'y'.repeat(7_000) });
    await eventually(async () => {
      expect(await openSockets()).toBe(0);
      expect([(await metric(up)) - (before[0] ?? 0), (await metric(down)) - (before[1] ?? 0)]).toEqual([
        7_000, 10_000,
      ]);
    });
    const { body } = await call<string>(service.app, 'GET', '/metrics');
    expect(body).toMatch(
      /http_request_duration_seconds_count\{method="POST",route="[^"]*agent-server[^"]*",status="200"\}/,
    );
  });

  it('is bounded for callers who have not said yet who they are', async () => {
    const sandbox = await service.sandbox({ owner });
    const url = service.socketUrl(sandbox, '/x');
    const waiting = await Promise.all(Array.from({ length: 256 }, () => TestSocket.open(url)));
    expect(await TestSocket.refused(url)).toBe(429);
    // They keep nobody out who is known.
    const Cookie = await startSession(service.app, owner.key);
    const signedIn = await TestSocket.open(url, { Cookie, Origin: service.app.url });
    signedIn.socket.send('hello');
    await eventually(() => expect(service.far.handshakes).toHaveLength(1));
    signedIn.socket.terminate();
    for (const { socket } of waiting) socket.terminate();
    await eventually(async () => {
      const client = await TestSocket.open(url);
      client.socket.terminate();
      await once(client.socket, 'close');
    });
  });
});
