import { WindowCounts } from './window-counts';

const MANY = 10_000;

describe('the counts of a bucket', () => {
  it('say where a subject stands, and go on beyond the limit', () => {
    const counts = new WindowCounts(2);
    const standings = [counts.add('a'), counts.add('a'), counts.add('a')];
    expect(standings.map(({ remaining, isExceeded }) => [remaining, isExceeded])).toEqual([
      [1, false],
      [0, false],
      [0, true],
    ]);
    expect(counts.add('b').remaining).toBe(1);
  });

  it('say whether the next request would be one too many, and count nothing by it', () => {
    const counts = new WindowCounts(2);
    const before = [1, 2, 3].map(() => {
      const isExhausted = counts.isExhausted('a');
      counts.add('a');
      return isExhausted;
    });
    expect(before).toEqual([false, false, true]);
    expect(counts.isExhausted('b')).toBe(false);
    counts.takeUnshared(MANY);
    counts.learn({ subject: 'a', count: 1, leftMs: 30_000 });
    expect(counts.isExhausted('a')).toBe(false);
  });

  it('hand over only what was answered', () => {
    const counts = new WindowCounts(2);
    for (let call = 0; call < 5; call++) counts.add('a');
    expect(counts.takeUnshared(MANY)).toEqual([{ subject: 'a', count: 2 }]);
    expect(counts.hasUnshared).toBe(false);
  });

  it('add what was counted since they were handed over to what all replicas counted', () => {
    const counts = new WindowCounts(10);
    counts.add('a');
    counts.takeUnshared(MANY);
    counts.add('a');
    counts.learn({ subject: 'a', count: 7, leftMs: 30_000 });
    expect(counts.add('a')).toMatchObject({ remaining: 1, resetSeconds: 30 });
  });

  it('hand over again what could not be shared', () => {
    const counts = new WindowCounts(10);
    counts.add('a');
    const [taken] = counts.takeUnshared(MANY);
    counts.add('a');
    if (taken) counts.putBack(taken);
    expect(counts.takeUnshared(MANY)).toEqual([{ subject: 'a', count: 2 }]);
  });

  it('hand over so many subjects at most, and the others later', () => {
    const counts = new WindowCounts(10);
    for (const subject of ['a', 'b', 'c']) counts.add(subject);
    expect(counts.takeUnshared(2).map(({ subject }) => subject)).toEqual(['a', 'b']);
    expect(counts.takeUnshared(2).map(({ subject }) => subject)).toEqual(['c']);
  });

  it('learn nothing of subjects that they do not have, nor of a minute that is over', () => {
    const counts = new WindowCounts(10);
    counts.learn({ subject: 'a', count: 7, leftMs: 30_000 });
    expect(counts.add('a').remaining).toBe(9);
    counts.learn({ subject: 'a', count: 7, leftMs: 0 });
    expect(counts.add('a').remaining).toBe(8);
  });

  it('forget the subjects whose minute began first when there are too many', () => {
    const counts = new WindowCounts(5);
    counts.add('first');
    for (let other = 0; other < MANY - 1; other++) counts.add(`other ${other}`);
    expect(counts.add('first').remaining).toBe(3);
    counts.add('one too many');
    expect(counts.add('first').remaining).toBe(4);
    expect(counts.takeUnshared(2 * MANY).length).toBe(MANY);
  });
});
