import { eventually } from '../../support/eventually';
import { RawClient, rawHandshake, rawRequest } from '../../support/sandbox-access/raw-client';
import { DoorService, type FarSandbox } from '../../support/sandbox-access/door-service';
import { call } from '../../support/service/http';

let service: DoorService;
let sandbox: FarSandbox;
let key: string;
beforeAll(async () => {
  service = await DoorService.start();
  sandbox = await service.sandbox();
  ({ key } = service.owner);
});
beforeEach(() => service.far.reset());
afterAll(() => service.close());

const OFFER = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'];

describe('an upgrade sent before the response to an earlier request', () => {
  const slow = () => rawRequest(`GET ${sandbox.door}/slow`, [`X-Access-Token: ${key}`]);
  const slowOffer = () => rawRequest(`GET ${sandbox.door}/slow`, [`X-Access-Token: ${key}`, ...OFFER]);
  const sequences: [string, () => string][] = [
    [
      'a WebSocket after a request, both without a key',
      () => rawRequest('GET /api/v1/sandboxes/search') + rawHandshake(`${sandbox.door}/sockets/x`),
    ],
    ['a WebSocket after a slow request', () => slow() + rawHandshake(`${sandbox.door}/sockets/x`)],
    [
      'a WebSocket after a slow request that offered HTTP/2',
      () => slowOffer() + rawHandshake(`${sandbox.door}/sockets/x`),
    ],
    ['an offer of HTTP/2 after a slow request', () => slow() + rawRequest('GET /health', OFFER)],
    ['an offer of HTTP/2 after another one', () => slowOffer() + rawRequest('GET /health', OFFER)],
  ];

  it.each(sequences)('ends the connection, and nothing else: %s', async (_what, bytes) => {
    service.far.answer = () => undefined;
    const client = await RawClient.connect(service.app.url);
    client.socket.write(bytes());
    await client.closed();
    expect((await call(service.app, 'GET', '/health')).status).toBe(200);
  });

  it('is taken once that response has come', async () => {
    const client = await RawClient.connect(service.app.url);
    client.socket.write(rawRequest('GET /health', OFFER));
    await client.has('200 OK');
    client.socket.write(rawHandshake(`${sandbox.door}/sockets/x`, [`X-Access-Token: ${key}`]));
    await client.has('101 Switching Protocols');
    client.socket.destroy();
    await eventually(() => expect(service.far.sockets.clients.size).toBe(0));
  });
});

describe('requests that are sent before the responses to earlier ones', () => {
  it('all end at the agent server when their caller is reset', async () => {
    const upstream = () => service.far.connections.size;
    service.far.answer = () => undefined;
    const client = await RawClient.connect(service.app.url);
    client.socket.write(rawRequest(`GET ${sandbox.door}/x`, [`X-Access-Token: ${key}`]).repeat(12));
    await eventually(() => expect(service.far.received).toHaveLength(12));
    client.socket.resetAndDestroy();
    await eventually(() => expect(upstream()).toBe(0));
    await eventually(async () => {
      const { body } = await call<string>(service.app, 'GET', '/metrics');
      expect(body).toContain('door_connections{kind="http"} 0\n');
    });
  });
});
