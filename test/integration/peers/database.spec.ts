import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { eventually } from '../../support/eventually';
import { startTestApp, type TestApp } from '../../support/service/app';
import { serverOf } from '../../support/service/tcp-proxy';

/**
 * What is said on the connections of the service, where the database would be heard. Not among it: a message whose fields
 * are longer than itself, for which the driver throws what only `outlivePeers` takes, or reads for ever.
 */
const WORDS: Readonly<Record<string, readonly Buffer[]>> = {
  nothing: [],
  'what no database says': [Buffer.alloc(4 * 1024 * 1024, 0xff)],
  'a message of an unknown kind': [message('~', Buffer.from('any'))],
  'half of a message': [message('T', Buffer.from('\0\x05name')).subarray(0, 8)],
  'a row that is not there': [message('D', Buffer.from([0, 1, 0x7f, 0xff, 0xff, 0xff]))],
  'rows that nobody asked for': [message('D', Buffer.from([0, 0])), message('C', Buffer.from('SELECT 1\0'))],
  'the end of a query that nobody began': [message('Z', Buffer.from('I'))],
  'a wish for another password': [message('R', Buffer.from([0, 0, 0, 3]))],
  'that it ends': [message('E', Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating\0\0'))],
  'that it has crashed': [message('E', Buffer.from('SFATAL\0VFATAL\0C57P02\0Mterminating\0\0'))],
  'a copy that nobody asked for': [message('d', Buffer.from('any')), message('G', Buffer.from([0, 0, 0]))],
};

const ENDS: Readonly<Record<string, (socket: Socket) => void>> = {
  'closes the connections': (socket) => socket.end(),
  'resets the connections': (socket) => socket.resetAndDestroy(),
};

function message(kind: string, body: Buffer): Buffer {
  const head = Buffer.from([kind.charCodeAt(0), 0, 0, 0, 0]);
  head.writeUInt32BE(4 + body.length, 1);
  return Buffer.concat([head, body]);
}

/** The connections of the service, in pairs with those to the database. */
const clients = new Set<Socket>();
let way: Server;
let database: TestDatabase;
let app: TestApp;

beforeAll(async () => {
  database = await createTestDatabase();
  way = createServer((client) => {
    const server = connect(serverOf(database.url));
    clients.add(client);
    for (const socket of [client, server])
      socket
        .on('error', () => undefined)
        .once('close', () => {
          clients.delete(client);
          client.destroy();
          server.destroy();
        });
    client.pipe(server).pipe(client);
  });
  await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve));
  const url = new URL(database.url);
  url.hostname = '127.0.0.1';
  url.port = `${(way.address() as AddressInfo).port}`;
  app = await startTestApp({
    database: { url: url.href, drop: () => Promise.resolve() },
    env: { LOG_LEVEL: 'silent' },
  });
});
afterAll(async () => {
  await app.close();
  for (const client of clients) client.destroy();
  way.close();
  await database.drop();
});

const LISTENING = `SELECT FROM pg_stat_activity
                    WHERE datname = current_database() AND application_name LIKE '% notifications'`;

const isBack = (): Promise<unknown> =>
  eventually(async () => {
    expect((await fetch(`${app.url}/ready`)).status).toBe(200);
    // The one on which notifications are heard is back as well.
    expect(await app.db.query(LISTENING)).not.toEqual([]);
  });

/** A throw in an event of a socket fails the test that runs: nobody can catch it. */
describe.each(Object.entries(WORDS))('a database that says %s', (_what, words) => {
  it.each(Object.entries(ENDS))('and %s, at rest and at work, ends nobody else', async (_how, end) => {
    await isBack();
    const asked = Array.from({ length: 20 }, () =>
      app.db.query('SELECT pg_sleep(0.2)').catch(() => undefined),
    );
    for (const client of clients) client.write(Buffer.concat(words), () => end(client));
    await Promise.all(asked);
    await isBack();
  });
});
