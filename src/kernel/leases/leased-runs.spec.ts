import { Logger } from '@nestjs/common';
import { Clock } from '../common';
import { Lease } from './lease';
import { LeasedRuns, type LeasedWork } from './leased-runs';

const LENGTH_MS = 1_000;

class NamedLease extends Lease {
  constructor(
    clock: Clock,
    readonly key: string,
  ) {
    super(clock, LENGTH_MS);
    this.renewed(clock.monotonicMs());
  }
}

describe('runs over leased queues', () => {
  let work: { [Name in 'renew' | 'requeueLapsed' | 'giveUp']: jest.Mock };
  let runs: LeasedRuns<NamedLease>;
  let warn: jest.SpyInstance;
  const clock = new Clock();
  const never = (): Promise<never> => new Promise(() => undefined);
  const lease = (key = 'a'): NamedLease => new NamedLease(clock, key);

  beforeEach(() => {
    jest.useFakeTimers();
    work = {
      renew: jest.fn((held: readonly NamedLease[]) => Promise.resolve(held)),
      requeueLapsed: jest.fn(() => Promise.resolve()),
      giveUp: jest.fn(() => Promise.resolve()),
    };
    const logger = new Logger();
    warn = jest.spyOn(logger, 'warn').mockReturnValue();
    const all: LeasedWork<NamedLease> = {
      name: 'queues',
      lengthMs: LENGTH_MS,
      most: 2,
      keyOf: ({ key }: NamedLease) => key,
      ...work,
    };
    runs = new LeasedRuns(all, clock, logger);
  });
  afterEach(async () => {
    const stopped = runs.stop();
    await jest.advanceTimersByTimeAsync(3_000);
    await stopped;
    jest.useRealTimers();
  });

  it('have room from the start to the stop, for so many at a time', async () => {
    expect(runs.room).toBe(0);
    runs.start();
    expect(runs.room).toBe(2);
    void runs.begin(lease('a'), never);
    const run = runs.begin(lease('b'), () => Promise.resolve());
    expect(runs.room).toBe(0);
    await run;
    expect(runs.room).toBe(1);
    void runs.stop();
    expect(runs.room).toBe(0);
  });

  it('have their leases renewed at a quarter of their length until they end, before lapsed ones are requeued', async () => {
    runs.start();
    const [own, other] = [lease('a'), lease('b')];
    work.renew.mockImplementation(() => Promise.resolve([own]));
    let finish = (): void => undefined;
    const run = runs.begin(own, () => new Promise((resolve) => (finish = resolve)));
    void runs.begin(other, never);
    await jest.advanceTimersByTimeAsync(LENGTH_MS * 2);
    expect(work.renew.mock.calls[0]).toEqual([[own, other]]);
    // The other one has lapsed.
    expect(work.renew.mock.calls.at(-1)).toEqual([[own]]);
    expect([own.isHeld, other.isHeld]).toEqual([true, false]);
    expect(work.renew).toHaveBeenCalledTimes(8);
    expect(work.requeueLapsed).toHaveBeenCalledTimes(8);
    expect(work.renew.mock.invocationCallOrder[0]).toBeLessThan(
      work.requeueLapsed.mock.invocationCallOrder[0] ?? 0,
    );
    finish();
    await run;
    expect(own.isHeld).toBe(false);
    await jest.advanceTimersByTimeAsync(LENGTH_MS);
    expect(work.renew).toHaveBeenCalledTimes(8);
    expect(work.requeueLapsed).toHaveBeenCalledTimes(12);
  });

  it('are renewed again after a renewal that failed', async () => {
    runs.start();
    void runs.begin(lease(), never);
    work.renew.mockRejectedValueOnce(new Error('no database'));
    await jest.advanceTimersByTimeAsync(LENGTH_MS / 2);
    expect(warn).toHaveBeenCalledWith(expect.anything(), 'The leases on queues could not be renewed');
    expect(work.renew).toHaveBeenCalledTimes(2);
  });

  it.each(['renew', 'requeueLapsed'] as const)(
    'go on being renewed, and lapsed leases requeued, when %s never answers',
    async (step) => {
      runs.start();
      void runs.begin(lease('a'), never);
      work[step].mockImplementationOnce(never);
      await jest.advanceTimersByTimeAsync(LENGTH_MS * 1.1);
      expect(work[step]).toHaveBeenCalledTimes(1);
      await jest.advanceTimersByTimeAsync(LENGTH_MS * 0.5);
      const later = lease('b');
      void runs.begin(later, never);
      await jest.advanceTimersByTimeAsync(LENGTH_MS * 2);
      expect(later.isHeld).toBe(true);
      expect(work.requeueLapsed.mock.calls.length).toBeGreaterThan(5);
    },
  );

  it('of one queue come one after the other: the earlier one is cut off and has ended before the next', async () => {
    const steps: string[] = [];
    const first = lease();
    void runs.begin(first, async () => {
      await new Promise<void>((resolve) => first.signal.addEventListener('abort', () => resolve()));
      steps.push('first');
    });
    await jest.advanceTimersByTimeAsync(1);
    const second = lease();
    const later = runs.begin(second, () => {
      steps.push('second');
      return Promise.resolve();
    });
    await jest.advanceTimersByTimeAsync(1);
    await later;
    expect(steps).toEqual(['first', 'second']);
    expect(runs.leases).toEqual([]);
  });

  it('of one queue do not wait for ever for an earlier one that hangs', async () => {
    const hanging = lease();
    void runs.begin(hanging, never);
    await jest.advanceTimersByTimeAsync(1);
    const run = jest.fn(() => Promise.resolve());
    const later = runs.begin(lease(), run);
    expect(hanging.isHeld).toBe(false);
    await jest.advanceTimersByTimeAsync(LENGTH_MS - 1);
    expect(run).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1);
    await later;
    expect(run).toHaveBeenCalledTimes(1);
  });

  it('are given up when they fail, and end their leases', async () => {
    const [own, failure] = [lease(), new Error('failed')];
    await runs.begin(own, () => Promise.reject(failure));
    expect(work.giveUp).toHaveBeenCalledWith(own, failure, false);
    expect(own.isHeld).toBe(false);
  });

  it('have a grace time at the stop, after which the leases of those that hang are left', async () => {
    runs.start();
    const [ending, hanging] = [lease('a'), lease('b')];
    void runs.begin(ending, (signal) => {
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
    });
    void runs.begin(hanging, never);
    await jest.advanceTimersByTimeAsync(1);
    let left: readonly NamedLease[] | undefined;
    void runs.stop().then((leases) => (left = leases));
    await jest.advanceTimersByTimeAsync(2_400);
    expect(left).toBeUndefined();
    // What is on its way stays its own until then.
    expect(hanging.isHeld).toBe(true);
    await jest.advanceTimersByTimeAsync(200);
    expect(left).toEqual([hanging]);
    expect(await runs.stop()).toEqual([hanging]);
  });
});
