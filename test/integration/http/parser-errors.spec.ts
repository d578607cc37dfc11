import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Logger } from '@nestjs/common';
import { respondToParserErrors } from '../../../src/kernel/http';
import { startTestApp, type TestApp } from '../../support/service/app';

/** Sends text as it is, and reads until the connection ends. */
function exchange(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let response = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (response += chunk));
    socket.on('error', reject).on('end', () => resolve(response));
  });
}

function expectError(response: string, status: number, code: string): void {
  const [head = '', body = ''] = response.split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(head).toMatch(/^X-Request-Id: [0-9a-f-]{36}$/m);
  expect(head).toMatch(/^Content-Type: application\/json/m);
  expect(head).toMatch(/^Connection: close$/m);
  expect(JSON.parse(body)).toEqual({ detail: expect.stringMatching(/\.$/) as string, code });
}

describe('what the parser refuses has the body of all errors and a request id', () => {
  let app: TestApp;
  let port: number;
  beforeAll(async () => {
    app = await startTestApp({ env: { APP_ROLE: 'api' } });
    port = Number(new URL(app.url).port);
  });
  afterAll(() => app.close());

  it.each([
    ['no HTTP at all', 'how are you?\r\n\r\n'],
    ['a header without a name', 'GET /alive HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n'],
    ['a length that is none', 'POST /api/keys HTTP/1.1\r\nHost: a\r\nContent-Length: many\r\n\r\n'],
    ['no Host', 'GET /alive HTTP/1.1\r\n\r\n'],
  ])('400: %s', async (_, text) => {
    expectError(await exchange(port, text), 400, 'request_malformed');
  });

  it('404: a target that is no URL', async () => {
    const text = 'GET http://[x/alive HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
    expectError(await exchange(port, text), 404, 'path_not_found');
  });

  it('431: headers that are too large, whatever of them still comes', async () => {
    const text = `GET /alive HTTP/1.1\r\nHost: a\r\nX-Large: ${'x'.repeat(500_000)}\r\n\r\n`;
    expectError(await exchange(port, text), 431, 'headers_too_large');
  });
});

describe('a request that does not come in time', () => {
  let server: Server;
  beforeAll(async () => {
    jest.spyOn(Logger.prototype, 'log').mockImplementation();
    server = createServer({ headersTimeout: 100, connectionsCheckingInterval: 50 });
    respondToParserErrors(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    jest.restoreAllMocks();
    server.close();
  });

  it('is answered 408 with the body of all errors', async () => {
    const { port } = server.address() as AddressInfo;
    expectError(await exchange(port, 'GET /alive HTTP/1.1\r\nHost'), 408, 'request_timeout');
  });
});
