import { Logger } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Metrics } from './metrics';

describe('the metrics of an extension', () => {
  const metrics = new Metrics();
  const gauge = (name: string, collect: () => Promise<void>): Gauge =>
    new Gauge({ name, help: name, registers: [metrics.of('acme')], collect });

  it('keep no other from being answered, whether they throw or never end', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const fine = gauge('acme_fine', () => {
      fine.set(3);
      return Promise.resolve();
    });
    gauge('acme_thrown', () => Promise.reject(new Error('no ledger')));
    jest.useFakeTimers();
    gauge('acme_endless', () => new Promise(() => undefined));
    const text = metrics.registry.metrics();
    await jest.advanceTimersByTimeAsync(2_000);
    jest.useRealTimers();
    expect(await text).toMatch(/^acme_fine 3$/m);
    expect(await text).toMatch(/^process_cpu_seconds_total /m);
    expect(warn.mock.calls.map(([, message]) => message as string)).toEqual([
      'The metric acme_thrown could not be collected',
    ]);
    warn.mockRestore();
  });

  it('have names of their own', () => {
    expect(() => gauge('spent', () => Promise.resolve())).toThrow('has to begin with acme_.');
    gauge('acme_twice', () => Promise.resolve());
    expect(() => gauge('acme_twice', () => Promise.resolve())).toThrow('acme_twice');
  });
});
