import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { eventually } from '../../support/eventually';
import { begin, TestSocket, whole } from '../../support/sandbox-access/door-calls';
import { standstill } from '../../support/sandbox-access/standstill';
import { DoorService, type FarSandbox } from '../../support/sandbox-access/door-service';
import { acceptOf } from '../../../src/sandboxes/sandbox-access/sockets/frames';
import { makeCaller, makeOrg } from '../../support/service/factories';
import { call } from '../../support/service/http';
import { startSession } from '../../support/web-interface/browser-cookie';
import { awakeMs } from '../../support/awake-clock';
import { timeBound } from '../../support/time-bound';

/** A second in theory; a machine that is busy with other tests gets more. */
const PROMPTLY_MS = 2_000;

let database: TestDatabase;
let service: DoorService;
let sandbox: FarSandbox;
let key: string;
beforeAll(async () => {
  database = await createTestDatabase();
  service = await DoorService.start({ DOOR_PING_SECONDS: '2' }, database);
  sandbox = await service.sandbox();
  ({ key } = service.owner);
});
beforeEach(() => service.far.reset());
afterAll(async () => {
  await service.close();
  await database.drop();
});

const open = async (of = sandbox, headers: Readonly<Record<string, string>> = { 'X-Access-Token': key }) => {
  const far = service.far.nextSocket();
  const client = await TestSocket.open(service.socketUrl(of, '/sockets/events/a'), headers);
  return { client, far: await far };
};

/** Takes the connection of a handshake by hand. */
const takeOver = (): Promise<Duplex> =>
  new Promise((resolve) => {
    service.far.upgraded = (request, socket) => {
      const accept = acceptOf(request.headers['sec-websocket-key'] ?? '');
      const head = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n';
      socket.write(`${head}Sec-WebSocket-Accept: ${accept}\r\n\r\n`);
      resolve(socket);
    };
  });

describe('a WebSocket through the door', () => {
  it('passes messages of any size and kind, both ways, with what both ends agreed on', async () => {
    const { client, far } = await open();
    far.on('message', (data: Buffer, isBinary) => far.send(data, { binary: isBinary }));
    const large = 'ä'.repeat(3_000_000);
    client.socket.send('');
    client.socket.send(large);
    client.socket.send(Buffer.from('bytes'), { binary: true });
    client.socket.send('in ', { fin: false });
    client.socket.ping();
    client.socket.send('parts', { fin: true });
    expect(await client.first(4)).toEqual(['', large, 'bytes', 'in parts']);
    expect(client.socket.extensions).toContain('permessage-deflate');
    client.socket.terminate();
  });

  it('closes as either end closes it', async () => {
    const first = await open();
    first.far.close(4444, 'so it says');
    expect(await first.client.closed).toEqual({ code: 4444, reason: 'so it says' });
    const second = await open();
    second.client.socket.close(4555, 'done');
    const [code, reason] = (await once(second.far, 'close')) as [number, Buffer];
    expect([code, reason.toString()]).toEqual([4555, 'done']);
    expect((await second.client.closed).code).toBe(4555);
  });

  it('is closed with a reason when its agent server goes without one', async () => {
    const { client, far } = await open();
    far.terminate();
    expect(await client.closed).toEqual({ code: 1014, reason: 'The agent server ended the connection.' });
  });

  it('ends at the agent server when its caller vanishes', async () => {
    const { client, far } = await open();
    client.socket.terminate();
    await once(far, 'close');
  });

  it('asks both ends whether they are there, and stays open while they are', async () => {
    const { client, far } = await open();
    await Promise.all([once(client.socket, 'ping'), once(far, 'ping')]);
    await Promise.all([once(client.socket, 'ping'), once(far, 'ping')]);
    await Promise.all([once(client.socket, 'ping'), once(far, 'ping')]);
    expect(client.socket.readyState).toBe(client.socket.OPEN);
    client.socket.terminate();
  });

  it('is given up when its caller does not answer', async () => {
    const { client, far } = await open();
    // Half open: the connection is there, and nobody reads it.
    client.socket.pause();
    (Reflect.get(client.socket, '_socket') as Duplex).pause();
    await once(far, 'close');
    client.socket.terminate();
  });

  it('is given up when its agent server does not answer', async () => {
    const taken = takeOver();
    const client = await TestSocket.open(service.socketUrl(sandbox, '/x'), { 'X-Access-Token': key });
    await taken;
    expect((await client.closed).code).toBe(1014);
  });

  it('is cut in the middle of a message that never ends, where no reason fits in', async () => {
    const taken = takeOver();
    const own = await service.sandbox();
    const client = await TestSocket.open(service.socketUrl(own, '/x'), { 'X-Access-Token': key });
    (await taken).write(Buffer.from([0x81, 126, 255, 255, 120]));
    await service.app.db.query(`UPDATE sandboxes SET status = 'PAUSED' WHERE id = $1`, [own.id]);
    expect((await client.closed).code).toBe(1006);
  });

  it('passes no faster than the other end reads', async () => {
    // Who does not read does not answer pings either: here nobody is asked meanwhile.
    const patient = await DoorService.start({}, database);
    try {
      const next = patient.far.nextSocket();
      const own = await patient.sandbox();
      const headers = { 'X-Access-Token': patient.owner.key };
      const client = await TestSocket.open(patient.socketUrl(own, '/x'), headers);
      const far = await next;
      client.socket.pause();
      const chunk = Buffer.alloc(1024 * 1024);
      for (let n = 0; n < 64; n++) far.send(chunk, { binary: true, compress: false });
      const unsent = await standstill(patient.app.url, () => far.bufferedAmount);
      expect(unsent).toBeGreaterThan(32 * 1024 * 1024);
      client.socket.resume();
      expect(await client.first(64)).toHaveLength(64);
      client.socket.terminate();
    } finally {
      await patient.close();
    }
  });

  it('is refused with what the agent server makes of the handshake', async () => {
    service.far.upgraded = (_request, socket) =>
      void socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n');
    const url = service.socketUrl(sandbox, '/x');
    expect(await TestSocket.refused(url, { 'X-Access-Token': key })).toBe(503);
    const client = await TestSocket.open(url);
    client.authenticate(key);
    expect((await client.closed).code).toBe(1013);
  });

  it('keeps its sandbox from counting as idle when its caller says something, as requests that change something do', async () => {
    const used = async (of: FarSandbox) => {
      const [row] = await service.app.db.query<{ used: boolean }[]>(
        `SELECT last_activity_at > now() - interval '1 hour' AS used FROM sandboxes WHERE id = $1`,
        [of.id],
      );
      return row?.used;
    };
    const [quiet, loud, posted] = [await service.sandbox(), await service.sandbox(), await service.sandbox()];
    await call(service.app, 'GET', `${quiet.door}/x`, { key });
    const listening = await open(quiet);
    await once(listening.client.socket, 'ping');
    const speaking = await open(loud);
    speaking.client.socket.send('hello');
    await call(service.app, 'POST', `${posted.door}/x`, { key, body: {} });
    await eventually(async () => expect([await used(loud), await used(posted)]).toEqual([true, true]));
    expect(await used(quiet)).toBe(false);
    for (const { client } of [listening, speaking]) client.socket.terminate();
  });
});

describe('what ends the connections of a sandbox', () => {
  const changes: [string, (own: FarSandbox) => string, number][] = [
    [
      'a pause',
      ({ id }) => `UPDATE sandboxes SET status = 'PAUSED', stopping = 'pause' WHERE id = '${id}'`,
      4009,
    ],
    ['its deletion', ({ id }) => `UPDATE sandboxes SET status = 'MISSING' WHERE id = '${id}'`, 4004],
    ['its failure', ({ id }) => `UPDATE sandboxes SET status = 'ERROR' WHERE id = '${id}'`, 1013],
    ['a new start', ({ id }) => `UPDATE sandboxes SET status = 'STARTING' WHERE id = '${id}'`, 4009],
  ];

  it.each(changes)('%s does, with a reason, whoever has made the change', async (_what, change, code) => {
    const own = await service.sandbox();
    const { client, far } = await open(own);
    const changedAt = awakeMs();
    await service.app.db.query(change(own));
    const closed = await client.closed;
    expect([closed.code, closed.reason]).toEqual([code, expect.stringMatching(/^[A-Z].*\.$/)]);
    expect(awakeMs() - changedAt).toBeLessThan(timeBound(PROMPTLY_MS));
    if (far.readyState !== far.CLOSED) await once(far, 'close');
  });

  it('a pause gives its own reason in place of what an ending agent server says', async () => {
    const own = await service.sandbox();
    const { client, far } = await open(own);
    await service.app.db.query(`UPDATE sandboxes SET status = 'PAUSED' WHERE id = $1`, [own.id]);
    far.close(1012, 'Service restart');
    expect(await client.closed).toMatchObject({
      code: 4009,
      reason: expect.stringContaining('PAUSED') as string,
    });
  });
});

describe('what ends the connections of a caller, within a second', () => {
  const caller = async () => {
    const { id } = await makeOrg(service.app.db);
    const owner = await makeCaller(service.app.db, id);
    return { owner, own: await service.sandbox({ owner }) };
  };

  it.each([
    ['a revoked key', 'DELETE FROM api_keys WHERE user_id = $1'],
    ['an expired key', 'UPDATE api_keys SET expires_at = now() WHERE user_id = $1'],
    ['a disabled user', 'UPDATE users SET disabled_at = now() WHERE id = $1'],
    ['a lost membership', 'DELETE FROM org_members WHERE user_id = $1'],
  ])('%s, also where another replica has it open', async (_what, change) => {
    const other = await DoorService.start({}, database);
    try {
      const { owner, own } = await caller();
      const here = await open(own, { 'X-Access-Token': owner.key });
      const there = await TestSocket.open(other.socketUrl(own, '/sockets/a'), {
        'X-Access-Token': owner.key,
      });
      const download = begin(`${service.app.url}${own.door}/endless`, {
        headers: { 'X-Access-Token': owner.key },
      });
      service.far.answer = (_request, response) => void response.write('begun');
      const broken = whole(download);
      download.end();
      await once(download, 'response');
      const changedAt = awakeMs();
      await service.app.db.query(change, [owner.userId]);
      const codes = await Promise.all([here.client.closed, there.closed]);
      expect(codes.map(({ code }) => code)).toEqual([4001, 4001]);
      expect(await broken).toMatchObject({ status: 200, isBroken: true });
      expect(awakeMs() - changedAt).toBeLessThan(timeBound(PROMPTLY_MS));
    } finally {
      await other.close();
    }
  });

  it('a sign-out of the browser that it was opened in', async () => {
    const { owner, own } = await caller();
    const Cookie = await startSession(service.app, owner.key);
    const { client } = await open(own, { Cookie, Origin: service.app.url });
    await service.app.db.query(
      'DELETE FROM browser_sessions s USING api_keys k WHERE k.id = s.api_key_id AND k.user_id = $1',
      [owner.userId],
    );
    expect((await client.closed).code).toBe(4001);
  });

  it("a lost membership, also where the sandbox's own key opened it", async () => {
    const { owner, own } = await caller();
    const { client } = await open(own, { 'X-Session-API-Key': own.key });
    await service.app.db.query('DELETE FROM org_members WHERE user_id = $1', [owner.userId]);
    expect((await client.closed).code).toBe(4001);
  });

  it('nothing of another caller', async () => {
    const [first, second] = [await caller(), await caller()];
    const kept = await open(first.own, { 'X-Access-Token': first.owner.key });
    const ended = await open(second.own, { 'X-Access-Token': second.owner.key });
    await service.app.db.query('DELETE FROM api_keys WHERE user_id = $1', [second.owner.userId]);
    await ended.client.closed;
    kept.far.send('still there');
    expect(await kept.client.first(1)).toEqual(['still there']);
    kept.client.socket.terminate();
  });
});

describe('when the service stops', () => {
  it('WebSockets are closed with a reason to come back, and no new ones begin', async () => {
    const stopping = await DoorService.start({}, database);
    const own = await stopping.sandbox();
    const client = await TestSocket.open(stopping.socketUrl(own, '/x'), {
      'X-Access-Token': stopping.owner.key,
    });
    const stopped = stopping.close();
    expect((await client.closed).code).toBe(1012);
    await stopped;
  });
});
