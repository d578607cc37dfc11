import { request } from 'node:http';
import { connect } from 'node:net';
import { MEBIBYTE } from '../../../src/kernel/common';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg } from '../../support/service/factories';
import { call, type ErrorBody } from '../../support/service/http';

describe('a body that is refused', () => {
  let app: TestApp;
  let key: string;
  beforeAll(async () => {
    app = await startTestApp({ env: { APP_ROLE: 'api' } });
    ({ key } = await makeCaller(app.db, (await makeOrg(app.db)).id));
  });
  afterAll(() => app.close());

  /** Writes a whole request before it reads a byte, as plain clients do. */
  function upload(head: readonly string[], body: Buffer): Promise<string> {
    const { hostname, port } = new URL(app.url);
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname);
      const chunks: Buffer[] = [];
      socket.on('error', reject).on('data', (chunk) => chunks.push(chunk));
      socket.pause();
      socket.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
      const lines = ['POST /api/keys HTTP/1.1', 'Host: test', `X-Access-Token: ${key}`, ...head, '', ''];
      socket.write(lines.join('\r\n'));
      socket.write(body, (error) => {
        if (error) reject(error);
        else socket.resume();
      });
    });
  }

  it.each([3, 30])('of %d MiB, written before anything is read, is answered 413', async (mebibytes) => {
    const body = Buffer.alloc(mebibytes * MEBIBYTE, ' ');
    for (let time = 0; time < 4; time++) {
      const response = await upload([`Content-Length: ${body.length}`], body);
      expect(response).toMatch(/^HTTP\/1.1 413 /);
      expect(response).toMatch(/"code":"body_too_large"\}$/);
    }
  });

  it('in chunks is answered 413 too', async () => {
    const chunk = Buffer.concat([
      Buffer.from('100000\r\n'),
      Buffer.alloc(MEBIBYTE, ' '),
      Buffer.from('\r\n'),
    ]);
    const body = Buffer.concat([chunk, chunk, chunk, chunk, Buffer.from('0\r\n\r\n')]);
    expect(await upload(['Transfer-Encoding: chunked'], body)).toMatch(/^HTTP\/1.1 413 /);
  });

  it('is answered at once, also when it never comes', async () => {
    const status = await new Promise((resolve, reject) => {
      const headers = { 'X-Access-Token': key, 'Content-Length': 3 * MEBIBYTE };
      const outgoing = request(`${app.url}/api/keys`, { method: 'POST', headers, agent: false });
      outgoing.on('error', reject).on('response', (incoming) => {
        incoming.resume().on('end', () => {
          resolve(incoming.statusCode);
          outgoing.destroy();
        });
      });
      outgoing.flushHeaders();
    });
    expect(status).toBe(413);
  });

  it('is read up to a bound only, then the connection ends', async () => {
    const body = Buffer.alloc(200 * MEBIBYTE);
    const outcome = await upload([`Content-Length: ${body.length}`], body).catch((error: unknown) => error);
    expect(outcome).toMatchObject({ code: expect.stringMatching(/EPIPE|ECONNRESET/) as string });
  });

  it.each(['gzip', 'br', 'identity, gzip'])('with Content-Encoding %s is answered 415', async (encoding) => {
    const headers = { 'Content-Encoding': encoding };
    const response = await call<ErrorBody>(app, 'POST', '/api/keys', { key, raw: '{}', headers });
    expect([response.status, response.body.code]).toEqual([415, 'content_encoding_unsupported']);
    expect(response.headers['accept-encoding']).toBe('identity');
  });

  it.each(['identity', 'Identity', ''])('is not one with Content-Encoding %j', async (encoding) => {
    const headers = { 'Content-Encoding': encoding };
    expect(await call(app, 'POST', '/api/keys', { key, raw: '{}', headers })).toMatchObject({ status: 200 });
  });
});
