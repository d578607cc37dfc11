import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { DoorService } from '../../support/sandbox-access/door-service';
import { Directory } from '../../support/scim/directory';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, type TestCaller } from '../../support/service/factories';
import { call } from '../../support/service/http';
import { FROM_OWN_PAGE, startSession } from '../../support/web-interface/browser-cookie';
import { StreamReader } from '../../support/streams/stream-reader';
import { rounds } from '../../support/rounds';
import { timeBound } from '../../support/time-bound';

const ROUNDS = rounds(5, 2);
const WITHIN_MS = 1_000;
/** On a machine that is busy otherwise, `timeBound` allows more, up to this. */
const AT_MOST_MS = 4_000;
const ASK_EVERY_MS = 15;
/** Longer than anything may take. */
const WATCH_MS = AT_MOST_MS + 500;

let database: TestDatabase;
let service: DoorService;
let other: TestApp;
beforeAll(async () => {
  database = await createTestDatabase();
  service = await DoorService.start({ APP_ROLE: 'all' }, database);
  other = await startTestApp({
    database,
    env: { APP_ROLE: 'api', SANDBOX_DRIVER: 'process', SANDBOX_ISOLATION: 'none' },
  });
});
afterAll(async () => {
  await other.close();
  await service.close();
  await database.drop();
});

/** Asks again and again. @returns when it was answered for the last time, as from `performance.now()` */
async function lastAnswer(ask: () => Promise<number>): Promise<number> {
  let last = 0;
  const until = performance.now() + WATCH_MS;
  while (performance.now() < until) {
    if ((await ask()) < 400) last = performance.now();
    await sleep(ASK_EVERY_MS);
  }
  return last;
}

/** Everything that a person has open, on both replicas. */
async function everythingOpen(person: TestCaller) {
  const apps = [service.app, other];
  const cookie = await startSession(service.app, person.key);
  const sandbox = await service.sandbox({ owner: person });
  const streams = await Promise.all(
    apps.map(({ url }) =>
      StreamReader.open(`${url}/api/organizations/${person.orgId}/events/stream`, { key: person.key }),
    ),
  );
  const sockets = await Promise.all(
    apps.map(
      ({ url }) =>
        new Promise<WebSocket>((resolve, reject) => {
          const socket = new WebSocket(`${url.replace('http', 'ws')}${sandbox.door}/x`, {
            headers: { 'X-Access-Token': person.key },
          });
          socket.once('open', () => resolve(socket)).once('error', reject);
        }),
    ),
  );
  for (const { status } of streams) expect(status).toBe(200);
  const members = `/api/organizations/${person.orgId}/members`;
  const requests = apps.flatMap((app) => [
    () => call(app, 'GET', members, { key: person.key }),
    () => call(app, 'GET', members, { headers: { Cookie: cookie, ...FROM_OWN_PAGE } }),
    () => call(app, 'GET', `${sandbox.door}/x`, { key: person.key }),
  ]);
  for (const request of requests) expect((await request()).status).toBe(200);
  const paused = async (): Promise<number> => {
    const [row] = await service.app.db.query<{ running: boolean }[]>(
      `SELECT status = 'RUNNING' AND stopping IS NULL AS running FROM sandboxes WHERE id = $1`,
      [sandbox.id],
    );
    return row?.running === true ? 200 : 404;
  };
  const closed = [
    ...streams.map(({ ended }) => ended),
    ...sockets.map((socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()))),
  ];
  return {
    asked: [...requests.map((request) => async () => (await request()).status), paused],
    ended: closed.map((end) => end.then(() => performance.now())),
  };
}

it('a person who is switched off has nothing left within a second, on either replica', async () => {
  service.far.sockets.on('connection', () => undefined);
  const directory = await Directory.make(service.app);
  const slowest: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const person = await makeCaller(service.app.db, directory.orgId, 'admin');
    const { id } = await directory.person(person.email);
    const { asked, ended } = await everythingOpen(person);
    const answers = Promise.all(asked.map(lastAnswer));
    await sleep(200);
    expect((await directory.setActive(id, false)).status).toBe(200);
    const offMs = performance.now();
    const last = await answers;
    const closedAt = await Promise.all(
      ended.map((end) => Promise.race([end, sleep(WATCH_MS, Infinity, { ref: false })])),
    );
    slowest.push(...[Math.max(...last) - offMs, Math.max(...closedAt) - offMs]);
    // Each was asked before, too.
    for (const at of last) expect(at).toBeGreaterThan(0);
  }
  const bound = Math.min(timeBound(WITHIN_MS), AT_MOST_MS);
  for (const ms of slowest) expect(ms).toBeLessThanOrEqual(bound);
});
