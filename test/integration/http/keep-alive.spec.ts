import { startTestApp, type TestApp } from '../../support/service/app';
import { call } from '../../support/service/http';

describe('an idle connection', () => {
  let app: TestApp;
  afterEach(() => app.close());

  it.each([
    [{}, 75],
    [{ KEEP_ALIVE_SECONDS: '400' }, 400],
  ])('with the settings %j is kept for %d s, and clients are informed', async (env, seconds) => {
    app = await startTestApp({ env: { APP_ROLE: 'api', ...env } });
    const { headers } = await call(app, 'GET', '/alive', { headers: { Connection: 'keep-alive' } });
    expect(headers['keep-alive']).toBe(`timeout=${seconds}`);
    const { keepAliveTimeout, headersTimeout, requestTimeout } = app.app.getHttpServer();
    expect(keepAliveTimeout).toBe(seconds * 1_000);
    expect(headersTimeout).toBeGreaterThan(keepAliveTimeout);
    expect(requestTimeout).toBeGreaterThanOrEqual(headersTimeout);
  });
});
