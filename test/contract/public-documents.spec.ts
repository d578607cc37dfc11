import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { startTestApp, type TestApp } from '../support/service/app';

const DECODERS = { gzip: gunzipSync, br: brotliDecompressSync };

describe('the OpenAPI document and the large files of Swagger UI', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({ env: { APP_ROLE: 'api' } });
  });
  afterAll(() => app.close());

  const read = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
    const answer = await request(app.url + path, { headers });
    return { ...answer, body: Buffer.from(await answer.body.arrayBuffer()) };
  };

  describe.each([
    '/openapi.json',
    '/docs/swagger-ui-init.js',
    '/docs/swagger-ui-bundle.js',
    '/docs/swagger-ui-standalone-preset.js',
    '/docs/swagger-ui.css',
  ])('at %s', (path) => {
    it.each(['gzip', 'br'] as const)(
      'are compressed as %s, and kept while they are the same',
      async (name) => {
        const plain = await read(path);
        expect([plain.statusCode, plain.headers['content-encoding']]).toEqual([200, undefined]);
        const { headers, body } = await read(path, { 'accept-encoding': name });
        expect(headers).toMatchObject({
          'content-encoding': name,
          'content-type': plain.headers['content-type'],
          'cache-control': 'no-cache',
          vary: expect.stringContaining('Accept-Encoding') as string,
        });
        expect(body.length).toBeLessThan(plain.body.length / 2);
        expect(DECODERS[name](body).equals(plain.body)).toBe(true);
        const again = await read(path, { 'accept-encoding': name, 'if-none-match': String(headers.etag) });
        expect([again.statusCode, again.body.length]).toEqual([304, 0]);
      },
    );

    it('have no body in an answer to HEAD', async () => {
      const answer = await request(app.url + path, {
        method: 'HEAD',
        headers: { 'accept-encoding': 'gzip' },
      });
      expect([answer.statusCode, answer.headers['content-encoding']]).toEqual([200, 'gzip']);
      expect(await answer.body.text()).toBe('');
    });
  });
});
