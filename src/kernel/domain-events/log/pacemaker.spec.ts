import { type Beat, Pacemaker } from './pacemaker';

describe('a pacemaker', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('waits longer after each failure, whoever wakes it, to a bound, and from the start again after a success', async () => {
    const began = Date.now();
    const times: number[] = [];
    const outcomes: Beat[] = [...Array<Beat>(5).fill('failed'), 'done', 'failed', 'elsewhere', 'failed'];
    const pacemaker = new Pacemaker(
      () => {
        times.push(Date.now() - began);
        return Promise.resolve(outcomes.shift() ?? 'done');
      },
      { gapMs: 10, pollMs: 1_000, retryMs: 100, mostRetryMs: 500 },
    );
    pacemaker.start();
    while (times.length < 10) {
      pacemaker.wake();
      await jest.advanceTimersByTimeAsync(10);
    }
    const ended = pacemaker.stop();
    await jest.advanceTimersByTimeAsync(1_000);
    await ended;
    expect(times).toEqual([0, 100, 300, 700, 1_200, 1_700, 1_710, 1_810, 1_820, 2_020]);
  });

  it('ends in the middle of such a wait', async () => {
    const beat = jest.fn<Promise<Beat>, []>().mockResolvedValue('failed');
    const pacemaker = new Pacemaker(beat, {
      gapMs: 10,
      pollMs: 1_000,
      retryMs: 60_000,
      mostRetryMs: 60_000,
    });
    pacemaker.start();
    await jest.advanceTimersByTimeAsync(10);
    await pacemaker.stop();
    expect(beat).toHaveBeenCalledTimes(1);
  });
});
