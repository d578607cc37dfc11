import { Injectable, Module } from '@nestjs/common';
import type { HealthCheck } from '../../../src';
import { eventually } from '../../support/eventually';
import { startTestApp, type TestApp } from '../../support/service/app';
import { call } from '../../support/service/http';

let ledger: 'there' | 'away' = 'there';

@Injectable()
class LedgerCheck implements HealthCheck {
  check(): Promise<void> {
    return ledger === 'there' ? Promise.resolve() : Promise.reject(new Error('secret-host refused'));
  }
}

@Module({ providers: [LedgerCheck] })
class LedgerModule {}

const healthChecks = { 'acme.ledger': LedgerCheck };

describe('an extension with health checks', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({
      extensions: [{ name: 'acme', version: '1.2.3', modules: [LedgerModule], healthChecks }],
    });
  });
  afterAll(() => app.close());

  it('is named with its version by the service', async () => {
    expect(await call(app, 'GET', '/server_info')).toMatchObject({
      status: 200,
      body: { extensions: [{ name: 'acme', version: '1.2.3' }] },
    });
  });

  it('decides with the service whether it is ready, and is named when it fails', async () => {
    expect(await call(app, 'GET', '/ready')).toMatchObject({ status: 200 });
    ledger = 'away';
    const failed = await eventually(async () => {
      const response = await call(app, 'GET', '/ready');
      expect(response.status).toBe(503);
      return response;
    });
    expect(failed.body).toMatchObject({ code: 'health_check_failed' });
    expect(JSON.stringify(failed.body)).toContain('acme.ledger');
    expect(JSON.stringify(failed.body)).not.toContain('secret-host');
    ledger = 'there';
    await eventually(async () => expect((await call(app, 'GET', '/ready')).status).toBe(200));
  });
});
