import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { readSettings } from '../config';
import { JobHandlers } from '../jobs';
import { CountExchange } from './count-exchange';
import { RequestLimits } from './request-limits';
import { WindowCounts } from './window-counts';

const LIMIT = 20_000;

/** Counts of one exchange, by subject. */
type Shared = Readonly<Record<string, number>>;

describe('the exchange of counts', () => {
  let database: DataSource;
  let exchange: CountExchange;
  let counts: WindowCounts;
  let warn: jest.SpyInstance;
  /** What the database got, and how many more times it fails. */
  let shared: Shared[];
  let failures: number;

  beforeEach(() => {
    jest.useFakeTimers();
    warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    [shared, failures] = [[], 0];
    database = new DataSource({ type: 'postgres' });
    // All replicas together have counted one more.
    const query = (_sql: string, [, subjects, added]: [string[], string[], number[]]): Promise<object[]> => {
      if (failures-- > 0) return Promise.reject(new Error('The database is away.'));
      shared.push(Object.fromEntries(subjects.map((subject, index) => [subject, added[index] ?? NaN])));
      const rows = subjects.map((subject, index) => ({ subject, count: (added[index] ?? NaN) + 1 }));
      return Promise.resolve(rows.map((row) => ({ ...row, bucket: 'reads', left_ms: 30_000 })));
    };
    jest.spyOn(database, 'query').mockImplementation(query as typeof database.query);
    exchange = new CountExchange(database, new JobHandlers());
    counts = new WindowCounts(LIMIT);
    exchange.register('reads', counts);
  });
  afterEach(async () => {
    await exchange.onModuleDestroy();
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  const count = (...subjects: string[]): void => {
    for (const subject of subjects) counts.add(subject);
    exchange.schedule();
  };
  const second = (): Promise<void> => jest.advanceTimersByTimeAsync(1_000);

  it('sends what was counted once a second, and learns what all replicas counted', async () => {
    count('a', 'a', 'b');
    await second();
    expect(shared).toEqual([{ a: 2, b: 1 }]);
    expect(counts.add('a').remaining).toBe(LIMIT - 4);
    await second();
    expect(shared).toHaveLength(1);
  });

  it('sends what failed again, with what was counted since, and warns once until it succeeds', async () => {
    failures = 2;
    count('a');
    await second();
    count('a');
    await second();
    expect([shared, warn.mock.calls.length]).toEqual([[], 1]);
    expect(warn).toHaveBeenCalledWith(
      expect.objectContaining({ err: expect.any(Error) as unknown }),
      'Could not exchange request counts with other replicas',
    );
    await second();
    expect(shared).toEqual([{ a: 2 }]);
    failures = 1;
    count('a');
    await second();
    expect(warn).toHaveBeenCalledTimes(2);
  });

  it('sends at most 5,000 subjects of all buckets at once, and the others a second later', async () => {
    const others = new WindowCounts(LIMIT);
    exchange.register('sends', others);
    for (let subject = 0; subject < 4_000; subject++) counts.add(`read ${subject}`);
    for (let subject = 0; subject < 2_000; subject++) others.add(`send ${subject}`);
    exchange.schedule();
    await second();
    await second();
    expect(shared.map((sent) => Object.keys(sent).length)).toEqual([5_000, 1_000]);
  });

  it('begins no more once it is stopped', async () => {
    count('a');
    await exchange.onModuleDestroy();
    exchange.schedule();
    await second();
    expect(shared).toEqual([]);
  });

  it('is not needed where a bucket has no limit', () => {
    const limits = new RequestLimits(readSettings({ READ_CALLS_PER_MINUTE: '0' }), exchange);
    expect(limits.count('reads', 'a')).toBeNull();
    expect(limits.countFor('reads', 'a', 'user')).toBeNull();
    expect(limits.isExhausted('reads', 'a')).toBe(false);
  });

  it('has the requests of a user of all keys, and of a sandbox or an address those of their own alone', async () => {
    const limits = new RequestLimits(
      readSettings({ READ_CALLS_PER_MINUTE: '10', USER_CALLS_FACTOR: '2' }),
      exchange,
    );
    for (let call = 0; call < 10; call++) limits.countFor('reads', 'one key', 'user');
    limits.countFor('reads', 'another key', 'user');
    expect(limits.countFor('reads', 'a third key', 'user')).toMatchObject({ limit: 20, remaining: 8 });
    expect(limits.countFor('reads', 'an address', null)).toMatchObject({ limit: 10, remaining: 9 });
    await second();
    expect(Object.keys(shared[0] ?? {}).sort()).toEqual([
      'a third key',
      'an address',
      'another key',
      'one key',
      'user user',
    ]);
  });
});
