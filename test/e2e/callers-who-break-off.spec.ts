import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/eventually';
import { storeConversation } from '../support/queue/conversation-rows';
import { DoorService, type FarSandbox } from '../support/sandbox-access/door-service';
import { clientFrame, rawHandshake, rawRequest } from '../support/sandbox-access/raw-client';
import { makeCaller, type TestCaller } from '../support/service/factories';
import { agentEvent, storeEvents } from '../support/streams/stored-events';

/** More than connections hold for who does not read. */
const EVENTS = 400;
const EVENT = 'x'.repeat(20_000);
const LARGE = Buffer.alloc(8 * 1024 * 1024, 'x');

let service: DoorService;
let caller: TestCaller;
let sandbox: FarSandbox;
let conversationId: string;
beforeAll(async () => {
  service = await DoorService.start();
  caller = await makeCaller(service.app.db, service.owner.orgId, 'owner');
  sandbox = await service.sandbox({ owner: caller });
  const { orgId, userId } = caller;
  ({ id: conversationId } = await storeConversation(service.app.db, {
    org_id: orgId,
    created_by_user_id: userId,
    sandbox_id: sandbox.id,
  }));
  const events = Array.from({ length: EVENTS }, () => agentEvent({ id: randomUUID(), text: EVENT }));
  await storeEvents(service.app, conversationId, events);
  service.far.answer = (_request, response) => void response.end(LARGE);
  service.far.sockets.on('connection', (socket) => {
    socket.on('error', () => undefined);
    socket.send(LARGE);
  });
});
afterAll(() => service.close());

const events = (): string => `/api/v1/conversation/${conversationId}/events`;
const get = (path: string, headers: readonly string[]): string => rawRequest(`GET ${path}`, headers);

/** What is read, by its path. */
const READ: Readonly<Record<string, () => string>> = {
  'a page of large events': () => `${events()}/search?limit=100`,
  'the download of a conversation': () => `/api/v1/app-conversations/${conversationId}/download`,
  'the export of an organization': () => `/api/organizations/${caller.orgId}/conversations/export`,
  'the stream of a conversation': () => `${events()}/stream`,
  'the stream of an organization': () => `/api/organizations/${caller.orgId}/events/stream`,
  'the OpenAPI document': () => '/openapi.json',
  metrics: () => '/metrics',
  'a page through the door': () => `${sandbox.door}/x`,
};

/** What else is asked for, in bytes. */
const REQUESTS: Readonly<Record<string, () => (headers: readonly string[]) => string>> = {
  'an upload through the door': () => (headers) =>
    rawRequest(`POST ${sandbox.door}/x`, [...headers, `Content-Length: ${LARGE.length}`]) + EVENT,
  'a body that is not whole': () => (headers) =>
    rawRequest('POST /api/v1/app-conversations', [
      ...headers,
      'Content-Type: application/json',
      'Content-Length: 100000',
    ]) + '{"title":',
  'a body of chunks that are none': () => (headers) =>
    rawRequest('POST /api/v1/app-conversations', [...headers, 'Transfer-Encoding: chunked']) + 'zz\r\n',
  'a WebSocket through the door': () => (headers) =>
    rawHandshake(`${sandbox.door}/sockets/events/x`, headers) +
    clientFrame(1, 'x'.repeat(100)).toString('latin1').repeat(1_000),
  'a WebSocket where there is none': () => (headers) => rawHandshake('/api/v1/users/me', headers),
  'another protocol': () => (headers) =>
    rawRequest('GET /alive', [...headers, 'Connection: Upgrade', 'Upgrade: h2c']),
  'a tunnel': () => (headers) => rawRequest('CONNECT x:443', headers),
  'many pages at once': () => (headers) => get(`${events()}/search?limit=100`, headers).repeat(5),
  'what is no HTTP': () => () => '\0\xff no HTTP\r\n\r\n',
  'half of a request': () => () => 'GET / HTT',
  'headers without end': () => () => `GET / HTTP/1.1\r\nX-Long: ${EVENT.repeat(10)}`,
};

const ENDS = [0, 1, 20, 200, 600];

/** Asks, reads nothing, and resets the connection. */
async function breakOff(request: string, afterMs: number): Promise<void> {
  const { hostname, port } = new URL(service.app.url);
  const socket = connect(Number(port), hostname).pause();
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.write(request, 'latin1', resolve));
  await sleep(afterMs);
  if (!socket.destroyed) socket.resetAndDestroy();
}

async function endsNobody(request: string): Promise<void> {
  await Promise.all(ENDS.map((afterMs) => breakOff(request, afterMs)));
  await eventually(async () => expect((await fetch(`${service.app.url}/ready`)).status).toBe(200));
}

const headersOf = (): string[] => [`X-Access-Token: ${caller.key}`];

/** A throw in an event of a socket fails the test that runs: nobody can catch it. */
describe('a caller who breaks off', () => {
  it.each(Object.entries(READ))('%s ends nobody else', async (_what, path) => {
    const answer = await fetch(service.app.url + path(), {
      headers: { 'X-Access-Token': caller.key },
    });
    expect(answer.status).toBe(200);
    await answer.body?.cancel();
    await endsNobody(get(path(), headersOf()));
  });

  it.each(Object.entries(REQUESTS))('%s ends nobody else', async (_what, request) => {
    await endsNobody(request()(headersOf()));
  });
});
