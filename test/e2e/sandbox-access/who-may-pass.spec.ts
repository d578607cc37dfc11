import { makeCaller, makeKey, makeMember, makeOrg } from '../../support/service/factories';
import { call, type CallOptions, type ErrorBody } from '../../support/service/http';
import { DoorService, type FarSandbox } from '../../support/sandbox-access/door-service';
import { TestSocket } from '../../support/sandbox-access/door-calls';
import { FROM_OWN_PAGE, startSession } from '../../support/web-interface/browser-cookie';
import { awakeMs } from '../../support/awake-clock';
import { timeBound } from '../../support/time-bound';

let service: DoorService;
let sandbox: FarSandbox;
beforeAll(async () => {
  service = await DoorService.start();
  sandbox = await service.sandbox();
});
beforeEach(() => service.far.reset());
afterAll(() => service.close());

const ask = async (options: CallOptions, of = sandbox) => {
  const { status, body } = await call<ErrorBody | string>(service.app, 'GET', `${of.door}/api/x`, options);
  return [status, typeof body === 'string' ? body : body.code];
};
const NOT_FOUND = [404, 'sandbox_not_found'];

describe('the creator of a sandbox', () => {
  it.each([
    ['X-Access-Token', (key: string) => key],
    ['Authorization', (key: string) => `Bearer ${key}`],
    ['X-Session-API-Key', (key: string) => key],
  ])('passes with a key in %s, of which the agent server sees nothing', async (header, value) => {
    const { key } = service.owner;
    expect(await ask({ headers: { [header]: value(key) } })).toEqual([200, 'ok']);
    expect(JSON.stringify(service.far.last.rawHeaders)).not.toContain(key);
    expect(service.far.last.headers['x-session-api-key']).toBe(sandbox.key);
  });

  it('passes with a key that is bound to the organization, and not with one of another', async () => {
    const { userId, orgId } = service.owner;
    const other = await makeOrg(service.app.db);
    const bound = await makeKey(service.app.db, userId, { orgId });
    const elsewhere = await makeKey(service.app.db, userId, { orgId: other.id });
    expect(await ask({ key: bound.key })).toEqual([200, 'ok']);
    expect(await ask({ key: elsewhere.key })).toEqual(NOT_FOUND);
  });

  it('passes with a key of some addresses from these only, by request and by WebSocket, however often', async () => {
    const { userId } = service.owner;
    const here = await makeKey(service.app.db, userId, { addressRanges: ['127.0.0.0/8'] });
    const elsewhere = await makeKey(service.app.db, userId, { addressRanges: ['203.0.113.0/24'] });
    for (const again of [1, 2]) {
      expect([again, await ask({ key: here.key })]).toEqual([again, [200, 'ok']]);
      expect([again, await ask({ key: elsewhere.key })]).toEqual([again, [401, 'not_authenticated']]);
    }
    const url = service.socketUrl(sandbox, '/sockets/x');
    expect(await TestSocket.refused(url, { 'X-Access-Token': elsewhere.key })).toBe(401);
    const socket = await TestSocket.open(url, { 'X-Access-Token': here.key });
    socket.socket.close();
    await socket.closed;
  });

  it('passes when signed in in a browser, from pages of the service only', async () => {
    const Cookie = await startSession(service.app, service.owner.key);
    for (const again of [1, 2])
      expect([again, await ask({ headers: { Cookie, ...FROM_OWN_PAGE } })]).toEqual([again, [200, 'ok']]);
    expect(service.far.last.headers.cookie).toBeUndefined();
    for (const headers of [
      FROM_OWN_PAGE,
      { Cookie, 'Sec-Fetch-Site': 'same-site' },
      { Cookie, Origin: 'http://evil.example' },
      { Cookie, ...FROM_OWN_PAGE, 'X-Session-API-Key': 'wrong' },
    ])
      expect(await ask({ headers })).toEqual([401, 'not_authenticated']);
    const colleague = await makeCaller(service.app.db, service.owner.orgId);
    const theirs = { Cookie: await startSession(service.app, colleague.key), ...FROM_OWN_PAGE };
    expect(await ask({ headers: theirs })).toEqual(NOT_FOUND);
  });

  it('passes where X-Org-Id agrees; another one is a 404, and what is no id a 400', async () => {
    const { key, orgId } = service.owner;
    const other = await makeOrg(service.app.db);
    expect(await ask({ key, headers: { 'X-Org-Id': orgId } })).toEqual([200, 'ok']);
    expect(await ask({ key, headers: { 'X-Org-Id': other.id } })).toEqual(NOT_FOUND);
    expect(await ask({ key, headers: { 'X-Org-Id': 'x' } })).toEqual([400, 'organization_selector_invalid']);
  });

  it('does not pass after leaving the organization, with no key', async () => {
    const { id } = await makeOrg(service.app.db);
    const leaver = await makeCaller(service.app.db, id, 'member');
    const theirs = await service.sandbox({ owner: leaver });
    await service.app.db.query('DELETE FROM org_members WHERE user_id = $1', [leaver.userId]);
    expect(await ask({ key: leaver.key }, theirs)).toEqual(NOT_FOUND);
    expect(await ask({ headers: { 'X-Session-API-Key': theirs.key } }, theirs)).toEqual(NOT_FOUND);
  });
});

describe("a sandbox's own key", () => {
  it('does not pass where its creator is disabled', async () => {
    const { id } = await makeOrg(service.app.db);
    const owner = await makeCaller(service.app.db, id, 'member');
    const theirs = await service.sandbox({ owner });
    await service.app.db.query('UPDATE users SET disabled_at = now() WHERE id = $1', [owner.userId]);
    expect(await ask({ headers: { 'X-Session-API-Key': theirs.key } }, theirs)).toEqual(NOT_FOUND);
  });

  it('passes to that sandbox in X-Session-API-Key', async () => {
    expect(await ask({ headers: { 'X-Session-API-Key': sandbox.key } })).toEqual([200, 'ok']);
  });

  it('passes to no other sandbox, and in no other header', async () => {
    const other = await service.sandbox();
    expect(await ask({ headers: { 'X-Session-API-Key': sandbox.key } }, other)).toEqual(NOT_FOUND);
    expect(await ask({ key: sandbox.key })).toEqual([401, 'not_authenticated']);
    expect(await ask({ headers: { Authorization: `Bearer ${sandbox.key}` } })).toEqual([
      401,
      'not_authenticated',
    ]);
  });

  it('opens nothing else of the service', async () => {
    const headers = { 'X-Session-API-Key': sandbox.key };
    const { status } = await call(service.app, 'GET', `/api/v1/sandboxes?id=${sandbox.id}`, { headers });
    expect(status).toBe(401);
  });
});

describe('everybody else', () => {
  it('hears 401 without a key that works, and of an unknown sandbox what they hear of this one', async () => {
    const unknown = { ...sandbox, door: sandbox.door.replace(/[0-9a-f]{4}/, '0000') };
    for (const asked of [sandbox, unknown]) {
      expect(await ask({}, asked)).toEqual([401, 'not_authenticated']);
      expect(await ask({ key: 'wrong' }, asked)).toEqual([401, 'not_authenticated']);
    }
    const colleague = await makeCaller(service.app.db, service.owner.orgId, 'owner');
    for (const asked of [sandbox, unknown])
      expect(await ask({ key: colleague.key }, asked)).toEqual(NOT_FOUND);
    expect(service.far.received).toEqual([]);
  });

  it('hears 404 of what is no id', async () => {
    const { key } = service.owner;
    expect(await ask({ key }, { ...sandbox, door: '/api/v1/sandboxes/none/agent-server' })).toEqual(
      NOT_FOUND,
    );
  });
});

describe('GET /health', () => {
  const health = (door: string) => call<ErrorBody>(service.app, 'GET', `${door}/health`);

  it('is answered without a key by the service itself, for a sandbox that runs', async () => {
    service.far.answer = (_request, response) => void response.end('{"from":"the sandbox"}');
    expect(await health(sandbox.door)).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect(service.far.last.headers.authorization).toBeUndefined();
  });

  it('is the only thing that is answered so, in whatever case the path of the door is', async () => {
    const { key } = service.owner;
    const shouted = sandbox.door.replace('agent-server', 'AGENT-SERVER');
    const statusOf = async (method: 'GET' | 'POST' | 'DELETE', path: string, options: CallOptions = {}) =>
      (await call(service.app, method, path, options)).status;
    expect(await statusOf('GET', `${shouted}/health`)).toBe(200);
    expect(await statusOf('POST', `${sandbox.door}/health`)).toBe(401);
    expect(await statusOf('DELETE', `${shouted}/health`)).toBe(401);
    expect(await statusOf('POST', `${shouted}/api/conversations`)).toBe(401);
    expect(await statusOf('GET', `${shouted}/a/..%2fb`, { key })).toBe(400);
    service.far.reset();
    expect(await statusOf('POST', `${shouted}/api/conversations`, { key, body: {} })).toBe(200);
    expect(service.far.last.url).toBe('/api/conversations');
  });

  it('is 404 for any other, and 503 when the agent server does not answer', async () => {
    const paused = await service.sandbox({ status: 'PAUSED' });
    expect((await health(paused.door)).status).toBe(404);
    expect((await health(sandbox.door.replace(/[0-9a-f]{4}/, '0000'))).status).toBe(404);
    const away = await service.sandbox({ baseUrl: 'http://127.0.0.1:9' });
    expect((await health(away.door)).body.code).toBe('agent_server_unavailable');
  });
});

describe('a WebSocket', () => {
  const address = (query = '') => service.socketUrl(sandbox, `/sockets/events/a${query}`);
  const echo = () =>
    service.far.sockets.on('connection', (far) =>
      far.on('message', (data: Buffer) => far.send(data.toString())),
    );

  it.each([
    ['X-Access-Token', () => service.owner.key],
    ['X-Session-API-Key', () => sandbox.key],
  ])('opens with a key in %s', async (header, key) => {
    echo();
    const client = await TestSocket.open(address('?resend_mode=all'), { [header]: key() });
    client.socket.send('hello');
    expect(await client.first(1)).toEqual(['hello']);
    const [handshake] = service.far.handshakes;
    expect([handshake?.url, handshake?.headers['x-session-api-key']]).toEqual([
      '/sockets/events/a?resend_mode=all',
      sandbox.key,
    ]);
    client.socket.terminate();
  });

  it.each([
    ["the sandbox's", () => sandbox.key],
    ["the user's", () => service.owner.key],
  ])('opens with %s key as session_api_key, which goes no further', async (_whose, key) => {
    echo();
    const client = await TestSocket.open(address(`?a=1&session_api_key=${key()}&b=2`));
    client.socket.send('hello');
    expect(await client.first(1)).toEqual(['hello']);
    expect(service.far.handshakes[0]?.url).toBe('/sockets/events/a?a=1&b=2');
    client.socket.terminate();
  });

  it('opens for who is signed in, from pages of the service only, with a key in the first message or none', async () => {
    echo();
    const Cookie = await startSession(service.app, service.owner.key);
    const opened = await TestSocket.open(address(), { Cookie, Origin: service.app.url });
    opened.authenticate(sandbox.key);
    opened.socket.send('hello');
    expect(await opened.first(1)).toEqual(['hello']);
    const { headers } = service.far.handshakes[0]!;
    expect([headers.cookie, headers['x-session-api-key']]).toEqual([undefined, sandbox.key]);
    opened.socket.terminate();
    const foreign = await TestSocket.open(address(), { Cookie, Origin: 'http://evil.example' });
    foreign.socket.send('hello');
    expect((await foreign.closed).code).toBe(4001);
    const colleague = await makeCaller(service.app.db, service.owner.orgId);
    const theirs = { Cookie: await startSession(service.app, colleague.key), Origin: service.app.url };
    expect((await (await TestSocket.open(address(), theirs)).closed).code).toBe(4004);
    expect(service.far.handshakes).toHaveLength(1);
  });

  it('opens with a key in the first message, which goes no further', async () => {
    echo();
    const client = await TestSocket.open(address());
    client.authenticate(sandbox.key);
    client.socket.send('hello');
    expect(await client.first(1)).toEqual(['hello']);
    expect(service.far.handshakes[0]?.headers['x-session-api-key']).toBe(sandbox.key);
    client.socket.terminate();
  });

  it.each([
    ['plain', false],
    ['compressed', true],
  ])('passes no key in the first message on, where another one has opened it: %s', async (_how, compress) => {
    echo();
    const client = await TestSocket.open(
      address(),
      { 'X-Access-Token': service.owner.key },
      { perMessageDeflate: { threshold: 0 } },
    );
    expect(client.socket.extensions).toContain('permessage-deflate');
    client.socket.pong();
    client.socket.send(JSON.stringify({ type: 'auth', session_api_key: service.owner.key }), { compress });
    // What is like the message that is missing, which these must not refer to.
    const messages = [JSON.stringify({ type: 'auth', text: 'hello' }), 'hello', 'hello'];
    for (const message of messages) client.socket.send(message, { compress: true });
    expect(await client.first(3)).toEqual(messages);
    client.socket.terminate();
  });

  it('is refused before it opens where a key was shown that does not work', async () => {
    const colleague = await makeCaller(service.app.db, service.owner.orgId);
    expect(await TestSocket.refused(address('?session_api_key=wrong'))).toBe(401);
    expect(await TestSocket.refused(address(), { 'X-Access-Token': colleague.key })).toBe(404);
    expect(service.far.handshakes).toEqual([]);
  });

  it('is closed with 4001 for a first message without a key that works, and with 4004 for a stranger', async () => {
    const stranger = await makeMember(service.app.db, service.owner.orgId);
    const { key } = await makeKey(service.app.db, stranger.id);
    const outcomes: [string, number][] = [
      [JSON.stringify({ type: 'auth', session_api_key: 'wrong' }), 4001],
      ['hello', 4001],
      [JSON.stringify({ type: 'auth', session_api_key: key }), 4004],
    ];
    for (const [message, code] of outcomes) {
      const client = await TestSocket.open(address());
      client.socket.send(message);
      expect((await client.closed).code).toBe(code);
    }
    expect(service.far.handshakes).toEqual([]);
  });

  it('is 400 with a malformed handshake', async () => {
    const headers = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' };
    const answer = await call<ErrorBody>(service.app, 'GET', `${sandbox.door}/sockets/x`, {
      key: service.owner.key,
      headers,
    });
    expect([answer.status, answer.body.code]).toEqual([400, 'websocket_handshake_malformed']);
  });
});

describe('keys that do not work', () => {
  it('count as those of any operation, also of WebSockets and their first messages', async () => {
    const strict = await DoorService.start({ FAILED_CREDENTIALS_PER_MINUTE: '2' });
    try {
      const own = await strict.sandbox();
      expect((await call(strict.app, 'GET', `${own.door}/x`, { key: 'wrong' })).status).toBe(401);
      const client = await TestSocket.open(strict.socketUrl(own, '/sockets/x'));
      client.authenticate('wrong');
      expect((await client.closed).code).toBe(4001);
      const { status, body } = await call<ErrorBody>(strict.app, 'GET', `${own.door}/x`, { key: 'wrong' });
      expect([status, body.code]).toEqual([429, 'too_many_failed_credentials']);
      expect((await call(strict.app, 'GET', `${own.door}/x`, { key: strict.owner.key })).status).toBe(200);
    } finally {
      await strict.close();
    }
  });
});

describe('sessions of nobody', () => {
  it('count as keys that do not work, before a WebSocket opens', async () => {
    const strict = await DoorService.start({ FAILED_CREDENTIALS_PER_MINUTE: '2' });
    try {
      const url = strict.socketUrl(await strict.sandbox(), '/sockets/x');
      const headers = (n: number) => ({ Cookie: `ocs_session=wrong-${n}`, Origin: strict.app.url });
      const open = [await TestSocket.open(url, headers(1)), await TestSocket.open(url, headers(2))];
      expect(await TestSocket.refused(url, headers(3))).toBe(429);
      const Cookie = await startSession(strict.app, strict.owner.key);
      open.push(await TestSocket.open(url, { Cookie, Origin: strict.app.url }), await TestSocket.open(url));
      for (const { socket } of open) socket.terminate();
    } finally {
      await strict.close();
    }
  });
});

describe('a key that another process revoked', () => {
  it('lets nothing begin half a second later, so that what began before can end within the second', async () => {
    const owner = await makeCaller(service.app.db, service.owner.orgId);
    const theirs = await service.sandbox({ owner });
    const passes = async () => (await ask({ key: owner.key }, theirs))[0] === 200;
    expect(await passes()).toBe(true);
    await service.app.db.query('DELETE FROM api_keys WHERE user_id = $1', [owner.userId]);
    const revokedAt = awakeMs();
    let lastBegan = 0;
    for (let beganAt = 0; beganAt < 1_200;) {
      beganAt = awakeMs() - revokedAt;
      if (await passes()) lastBegan = beganAt;
    }
    expect(lastBegan).toBeLessThan(timeBound(500));
  });
});

describe('requests through the door', () => {
  it('are counted by themselves, for each key', async () => {
    const strict = await DoorService.start({ DOOR_CALLS_PER_MINUTE: '2' });
    try {
      const own = await strict.sandbox();
      const get = (headers: Record<string, string>) =>
        call<ErrorBody>(strict.app, 'GET', `${own.door}/x`, { headers });
      const user = { 'X-Access-Token': strict.owner.key };
      expect((await get(user)).headers['ratelimit-remaining']).toBe('1');
      await get(user);
      const refused = await get(user);
      expect([refused.status, refused.body.code]).toEqual([429, 'request_limit_reached']);
      expect(refused.headers['retry-after']).toBeDefined();
      expect((await get({ 'X-Session-API-Key': own.key })).status).toBe(200);
      expect((await call(strict.app, 'GET', '/api/keys', { headers: user })).status).toBe(200);
    } finally {
      await strict.close();
    }
  });
});
