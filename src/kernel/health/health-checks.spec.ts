import { Test } from '@nestjs/testing';
import { HEALTH_CHECKS, type HealthCheck, HealthChecks } from './health-checks';

class Silent implements HealthCheck {
  signal: AbortSignal | undefined;
  check(signal: AbortSignal): Promise<void> {
    this.signal = signal;
    return new Promise(() => undefined);
  }
}

function composed(providers: readonly (typeof Silent)[]) {
  const names = { provide: HEALTH_CHECKS, useValue: { 'acme.silent': Silent } };
  return Test.createTestingModule({ providers: [HealthChecks, names, ...providers] }).compile();
}

describe('a health check', () => {
  afterEach(() => jest.useRealTimers());

  it('that does not answer within three seconds has failed, and is aborted', async () => {
    const module = await (await composed([Silent])).init();
    jest.useFakeTimers();
    const failure = module.get(HealthChecks).firstFailure();
    await jest.advanceTimersByTimeAsync(3_000);
    expect(await failure).toMatchObject({ code: 'health_check_failed' });
    expect(module.get(Silent).signal?.aborted).toBe(true);
  });

  it('that no module provides stops the start', async () => {
    const module = await composed([]);
    await expect(module.init()).rejects.toThrow(
      "The health check acme.silent is Silent, which has to be a provider of the extension's modules.",
    );
  });
});
