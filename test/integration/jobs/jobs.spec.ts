import { Client } from 'pg';
import { z } from 'zod';
import { hostBound, JobQueue, JobHandlers, type RunningJob } from '../../../src/kernel/jobs';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { eventually } from '../../support/eventually';
import { startWorker, type TestWorker } from './worker';
import { awakeMs } from '../../support/awake-clock';
import { timeBound } from '../../support/time-bound';

const anything = z.unknown();

/** Far longer than a busy machine may pause: no job is run twice because a lease has lapsed. */
const LEASE_SECONDS = 10;

function noted<T>(list: T[], item: T): Promise<void> {
  list.push(item);
  return Promise.resolve();
}

describe('jobs', () => {
  let database: TestDatabase;
  const workers: TestWorker[] = [];

  async function worker(
    register: (handlers: JobHandlers) => void,
    leaseSeconds = LEASE_SECONDS,
  ): Promise<TestWorker> {
    const started = await startWorker(database.url, leaseSeconds, register);
    workers.push(started);
    return started;
  }

  beforeAll(async () => {
    database = await createTestDatabase();
  });

  afterEach(async () => {
    await Promise.all(workers.splice(0).map((each) => each.stop()));
  });

  afterAll(async () => {
    await database.drop();
  });

  it('run after the transaction that added them was committed, and never when it was rolled back', async () => {
    const ran: unknown[] = [];
    const { dataSource, add } = await worker((handlers) =>
      handlers.register('commit', z.object({ n: z.number() }), ({ n }) => noted(ran, n)),
    );
    const queue = new JobQueue();
    await expect(
      dataSource.transaction(async (tx) => {
        await queue.add(tx, { name: 'commit', payload: { n: 1 } });
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    await add({ name: 'commit', payload: { n: 2 } });
    await eventually(() => expect(ran).toEqual([2]));
    await eventually(async () => {
      const left = await dataSource.query<unknown>(
        `SELECT id FROM graphile_worker.jobs WHERE task_identifier = 'commit'`,
      );
      expect(left).toEqual([]);
    });
    expect(ran).toEqual([2]);
  });

  it('run as soon as the worker has started, however long its lease is', async () => {
    const ran: unknown[] = [];
    const { add } = await worker(
      (handlers) => handlers.register('first', anything, (n) => noted(ran, n)),
      3_600,
    );
    await add({ name: 'first', payload: 1 });
    await eventually(() => expect(ran).toEqual([1]));
  });

  it('start right away, by notification', async () => {
    let addedAt = 0;
    const waits: number[] = [];
    const { add } = await worker((handlers) =>
      handlers.register('quick', anything, () => noted(waits, awakeMs() - addedAt)),
    );
    for (let n = 1; n <= 6; n++) {
      addedAt = awakeMs();
      await add({ name: 'quick', payload: {} });
      await eventually(() => expect(waits).toHaveLength(n));
    }
    // Found by the next poll, each would take up to two seconds; the first one waits for the worker to start.
    expect(waits.slice(1).sort((a, b) => a - b)[2]).toBeLessThan(timeBound(500));
  });

  it('are replaced by a later one with the same key until they start', async () => {
    const ran: unknown[] = [];
    const { add } = await worker((handlers) => handlers.register('keyed', z.number(), (n) => noted(ran, n)));
    const later = new Date(Date.now() + 60_000);
    await add({ name: 'keyed', payload: 1, key: 'k', runAt: later });
    await add({ name: 'keyed', payload: 2, key: 'k' });
    await eventually(() => expect(ran).toEqual([2]));
  });

  it('for later wake no worker, replace the waiting one with their key, and run once they are due', async () => {
    const ran: unknown[] = [];
    const listener = new Client(database.url);
    await listener.connect();
    const inTime = (): Date => new Date(Date.now() + 1_000);
    try {
      const { add } = await worker((handlers) =>
        handlers.register('delayed', z.number(), async (n) => {
          // One that comes while it runs is another one.
          if (n === 3) await add({ name: 'delayed', payload: 4, key: 'd', runAt: inTime() });
          await noted(ran, n);
        }),
      );
      await add({ name: 'delayed', payload: 1 });
      await eventually(() => expect(ran).toEqual([1]));
      const notices: unknown[] = [];
      listener.on('notification', ({ payload }) => notices.push(payload));
      await listener.query('LISTEN "jobs:insert"');
      const addedAt = Date.now();
      await add({ name: 'delayed', payload: 2, key: 'd', runAt: inTime() });
      await add({ name: 'delayed', payload: 3, key: 'd', runAt: inTime() });
      await add({ name: 'elsewhere', payload: {} });
      await eventually(() => expect(notices).not.toEqual([]));
      expect(notices).toHaveLength(1);
      await eventually(() => expect(ran).toEqual([1, 3, 4]));
      expect(Date.now() - addedAt).toBeGreaterThanOrEqual(2_000);
    } finally {
      await listener.end();
    }
  });

  it('are retried after a failure, until the last attempt', async () => {
    const tries: number[] = [];
    const { dataSource, add } = await worker((handlers) =>
      handlers.register('failing', anything, (_, { attempt, maxAttempts }) => {
        tries.push(attempt);
        return Promise.reject(new Error(`try ${attempt} of ${maxAttempts}`));
      }),
    );
    await add({ name: 'failing', payload: {}, maxAttempts: 2 });
    // A slow machine sees the second try, which comes after some seconds by itself.
    await eventually(() => expect(tries[0]).toBe(1));
    await eventually(async () => {
      const unlocked = await dataSource.query<unknown[]>(
        `SELECT graphile_worker.reschedule_jobs(ARRAY(SELECT id FROM graphile_worker.jobs
           WHERE task_identifier = 'failing' AND locked_at IS NULL), run_at => now())`,
      );
      expect(unlocked).toHaveLength(1);
    });
    await eventually(() => expect(tries).toEqual([1, 2]));
    await eventually(async () => {
      const left = await dataSource.query<unknown>(
        `SELECT last_error FROM graphile_worker.jobs WHERE task_identifier = 'failing' AND locked_at IS NULL`,
      );
      expect(left).toEqual([{ last_error: 'try 2 of 2' }]);
    });
  });

  it('have one handler: a second one of their name is refused', () => {
    const handlers = new JobHandlers();
    handlers.register('shared', anything, () => Promise.resolve());
    expect(() => handlers.every('shared', 60, () => Promise.resolve())).toThrow(
      /^Jobs named shared have two handlers, of .+ and of .+: give one a name of its own\.$/,
    );
  });

  it('that are slow never keep quick ones waiting, however many they are', async () => {
    const ran: string[] = [];
    let begun = 0;
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const slow = async (): Promise<void> => {
      begun++;
      await finished;
    };
    const { add, runner } = await worker((handlers) => {
      handlers.register('waiting', anything, slow, 'slow');
      handlers.register('brief', anything, () => noted(ran, 'brief'));
    });
    for (let n = 0; n < 50; n++) await add({ name: 'waiting', payload: {} });
    await eventually(() => expect(begun).toBe(20));
    await add({ name: 'brief', payload: {} });
    await eventually(() => expect(ran).toEqual(['brief']));
    await eventually(() => expect([begun, runner.counts().running]).toEqual([20, 20]));
    finish();
    await eventually(() => expect(begun).toBe(50));
  });

  it('of a host run only in workers of that host', async () => {
    const ran: string[] = [];
    const name = hostBound('reconcile', 'host-b');
    const other = await worker((handlers) =>
      handlers.register(hostBound('reconcile', 'host-a'), anything, () => noted(ran, 'a')),
    );
    await other.add({ name, payload: {} });
    await other.add({ name: hostBound('reconcile', 'host-a'), payload: {} });
    await eventually(() => expect(ran).toEqual(['a']));
    await worker((handlers) => handlers.register(name, anything, () => noted(ran, 'b')));
    await eventually(() => expect(ran).toEqual(['a', 'b']));
  });

  it('have fencing tokens that grow from run to run, across all workers', async () => {
    const fences: number[] = [];
    const register = (handlers: JobHandlers): void =>
      handlers.register('fenced', anything, (_, { lease }) => {
        lease.assertHeld();
        return noted(fences, lease.fence);
      });
    const { add } = await worker(register);
    await worker(register);
    for (let n = 1; n <= 5; n++) {
      await add({ name: 'fenced', payload: {} });
      await eventually(() => expect(fences).toHaveLength(n));
    }
    expect(fences).toEqual([...new Set(fences)].sort((a, b) => a - b));
  });

  it('that are running at shutdown are aborted and run by another worker at once', async () => {
    const runs: RunningJob[] = [];
    const register = (handlers: JobHandlers): void =>
      handlers.register('long', anything, async (_, job) => {
        runs.push(job);
        if (runs.length > 1) return;
        await new Promise((_, reject) =>
          job.signal.addEventListener('abort', () => reject(new Error('stopped'))),
        );
      });
    const first = await startWorker(database.url, LEASE_SECONDS, register);
    await first.add({ name: 'long', payload: {}, maxAttempts: 1 });
    await eventually(() => expect(runs).toHaveLength(1));
    const before = awakeMs();
    await first.stop();
    expect(awakeMs() - before).toBeLessThan(timeBound(2_000));
    await worker(register);
    await eventually(() => expect(runs).toHaveLength(2));
    expect(runs[1]!.attempt).toBe(1);
  });

  it('that ignore the abort are taken away at shutdown', async () => {
    const runs: RunningJob[] = [];
    let finish: () => void = () => undefined;
    const register = (handlers: JobHandlers): void =>
      handlers.register('deaf', anything, async (_, job) => {
        runs.push(job);
        if (runs.length === 1) await new Promise<void>((resolve) => (finish = resolve));
      });
    const first = await startWorker(database.url, LEASE_SECONDS, register);
    await first.add({ name: 'deaf', payload: {}, maxAttempts: 1 });
    await eventually(() => expect(runs).toHaveLength(1));
    const before = awakeMs();
    await first.stop();
    expect(awakeMs() - before).toBeLessThan(timeBound(5_000));
    expect(runs[0]!.lease.isHeld()).toBe(false);
    await worker(register);
    await eventually(() => expect(runs).toHaveLength(2));
    finish();
  });

  it('do not delay a shutdown right after the start', async () => {
    const started = awakeMs();
    const { stop } = await startWorker(database.url, LEASE_SECONDS, () => undefined);
    await stop();
    expect(awakeMs() - started).toBeLessThan(timeBound(2_000));
  });

  it('recur once per interval across all workers, also after a failure', async () => {
    const times: number[] = [];
    const began = performance.now();
    const register = (handlers: JobHandlers): void =>
      handlers.every('recurring', 1, () => {
        times.push(performance.now() - began);
        return times.length === 1 ? Promise.reject(new Error('once')) : Promise.resolve();
      });
    await worker(register);
    await worker(register);
    await eventually(() => expect(times.length).toBeGreaterThanOrEqual(4));
    // On a busy machine one may begin late, and the next in time.
    for (const [n, time] of times.entries()) expect(time).toBeGreaterThan(950 * n);
  });
});

describe('a worker that is stopped right after its start', () => {
  it.each([0, 5, 20, 50])('ends, also %i ms later', async (ms) => {
    const database = await createTestDatabase();
    const worker = await startWorker(database.url, LEASE_SECONDS, () => undefined);
    await new Promise((resolve) => setTimeout(resolve, ms));
    await worker.stop();
    await database.drop();
  });
});
