import { RawClient, rawRequest } from '../support/sandbox-access/raw-client';
import { startTestApp, type TestApp } from '../support/service/app';
import { call } from '../support/service/http';

const METRICS_TOKEN = 'abcdefghijabcdefghijabcdefghijab';

describe('GET /metrics with METRICS_TOKEN', () => {
  let service: TestApp;

  beforeAll(async () => {
    service = await startTestApp({ env: { APP_ROLE: 'api', METRICS_TOKEN } });
  });
  afterAll(() => service.close());

  it.each([
    ['nothing', {}, 401],
    ['another token', { authorization: 'Bearer other' }, 401],
    ['the token', { authorization: `Bearer ${METRICS_TOKEN}` }, 200],
  ])('answers who brings %s with %p: %p', async (_, headers, status) => {
    const response = await call(service, 'GET', '/metrics', { headers });
    expect(response.status).toBe(status);
    expect(JSON.stringify(response.body).includes('process_cpu')).toBe(status === 200);
  });

  it.each(['/metrics/', '/METRICS', '/metrics?x', '//a@b/metrics#'])(
    'asks for it at %s, too',
    async (path) => {
      const client = await RawClient.connect(service.url);
      client.socket.write(rawRequest(`GET ${path}`, ['Connection: close']));
      await client.closed();
      expect(client.text).toMatch(/^HTTP\/1\.1 401 /);
    },
  );
});
