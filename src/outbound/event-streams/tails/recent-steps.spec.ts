import fc from 'fast-check';
import { MAX_SHARED_BYTES, StreamStep } from '../sources/stream-source';
import { RecentBytes, RecentSteps } from './recent-steps';

const KIND = 'MessageEvent';
const stepOf = (position: number, bytes: number): StreamStep =>
  StreamStep.event(position, KIND, JSON.stringify('x'.repeat(bytes)));

describe('the latest steps of a log', () => {
  const size = fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 0, max: 2_000 }) },
    { weight: 2, arbitrary: fc.integer({ min: 0, max: 140_000 }) },
    { weight: 1, arbitrary: fc.constant(MAX_SHARED_BYTES) },
  );
  const action = fc.oneof(
    { weight: 10, arbitrary: fc.record({ add: fc.array(size, { maxLength: 60 }) }) },
    { weight: 1, arbitrary: fc.constant('age' as const) },
  );

  it('are all that follow a position or none, and never more bytes than may be kept', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 40 }), (actions) => {
        const all = new RecentBytes();
        const kept = new RecentSteps(0, all);
        const sent: StreamStep[] = [];
        for (const one of actions) {
          if (one === 'age') kept.age();
          else {
            const steps = one.add.map((bytes, n) => stepOf(sent.length + n + 1, bytes));
            kept.add(steps);
            sent.push(...steps);
          }
          const positions = sent.map((_, n) => n);
          const answers = positions.map((position) => kept.after(position));
          for (const [position, found] of answers.entries())
            if (found !== null) expect(found).toEqual(sent.slice(position));
          const longest = answers.find((found) => found !== null) ?? [];
          expect(longest.length).toBeLessThanOrEqual(500);
          expect(all.used).toBe(longest.reduce((sum, { frame }) => sum + frame.length, 0));
          expect(all.used).toBeLessThanOrEqual(128 * 1024);
          expect(kept.after(sent.length)).toEqual([]);
        }
        kept.clear();
        expect(all.used).toBe(0);
      }),
      { numRuns: 60 },
    );
  });

  it('are dropped when they were there two times, and what came between stays', () => {
    const kept = new RecentSteps(0, new RecentBytes());
    kept.add([stepOf(1, 1)]);
    kept.age();
    kept.add([stepOf(2, 1)]);
    expect(kept.after(0)).toHaveLength(2);
    kept.age();
    expect([kept.after(0), kept.after(1)?.length]).toEqual([null, 1]);
  });

  it('share their bytes with those of other logs', () => {
    const all = new RecentBytes();
    const logs = Array.from({ length: 300 }, () => new RecentSteps(0, all));
    for (const log of logs) log.add([stepOf(1, 120_000)]);
    expect(all.used).toBeLessThanOrEqual(32 * 1024 * 1024);
    expect(all.used).toBeGreaterThan(31 * 1024 * 1024);
    expect([logs[0]?.after(0)?.length, logs.at(-1)?.after(0)]).toEqual([1, null]);
  });
});
