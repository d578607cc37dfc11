import { FairQueue } from './fair-queue';

describe('what waits for a worker', () => {
  /** Takes so many, each of which takes the worker the milliseconds of its organization. */
  function takeAll(queue: FairQueue<number>, times: Readonly<Record<string, number>>, most = 100): string {
    let order = '';
    for (let next = queue.take(); next !== undefined; next = queue.take()) {
      order += next.orgId;
      queue.count(next.orgId, times[next.orgId] ?? 0);
      if (order.length === most) break;
    }
    return order;
  }

  it('comes in its order, and that of organizations in turns', () => {
    const queue = new FairQueue<number>();
    for (let n = 0; n < 4; n++) queue.add('a', n);
    for (let n = 0; n < 2; n++) queue.add('b', n);
    expect(takeAll(queue, { a: 10, b: 10 })).toBe('ababaa');
  });

  it('comes the more often the less time it takes', () => {
    const queue = new FairQueue<number>();
    for (let n = 0; n < 3; n++) queue.add('a', n);
    for (let n = 0; n < 8; n++) queue.add('b', n);
    expect(takeAll(queue, { a: 100, b: 30 })).toBe('abbbbabbbab');
  });

  it('has no credit of the time before it came', () => {
    const queue = new FairQueue<number>();
    for (let n = 0; n < 10; n++) queue.add('a', n);
    takeAll(queue, { a: 100 }, 5);
    for (let n = 0; n < 10; n++) queue.add('b', n);
    expect(takeAll(queue, { a: 100, b: 100 }, 4)).toBe('baba');
  });
});
