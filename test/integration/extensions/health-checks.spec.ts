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

describe('health checks of an extension', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({ extensions: [{ name: 'acme', modules: [LedgerModule], healthChecks }] });
  });
  afterAll(() => app.close());

  it('decide with those of the service whether it is ready, and one that fails is named', async () => {
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
