import { startTestApp, type TestApp } from '../support/service/app';
import { call } from '../support/service/http';

describe('GET /metrics with METRICS_TOKEN', () => {
  let service: TestApp;

  beforeAll(async () => {
    service = await startTestApp({ env: { APP_ROLE: 'api', METRICS_TOKEN: 'scrape' } });
  });
  afterAll(() => service.close());

  it.each([
    ['nothing', {}, 401],
    ['another token', { authorization: 'Bearer other' }, 401],
    ['the token', { authorization: 'Bearer scrape' }, 200],
  ])('answers who brings %s with %p: %p', async (_, headers, status) => {
    const response = await call<string>(service, 'GET', '/metrics', { headers });
    expect(response.status).toBe(status);
    expect(response.body.includes('process_cpu')).toBe(status === 200);
  });
});
