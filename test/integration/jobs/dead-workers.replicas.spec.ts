import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { Client } from 'pg';
import { z } from 'zod';
import { JobQueue, type RunningJob } from '../../../src/kernel/jobs';
import { scriptOf } from '../../support/compiled/compiled-sources';
import { eventually } from '../../support/eventually';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { startWorker, type TestWorker } from './worker';
import { awakeMs } from '../../support/awake-clock';
import { timeBound } from '../../support/time-bound';

const LEASE_SECONDS = 2;
/** Lease, margin, the next heartbeat of another worker, the next poll: scaled, 15 s at a lease of 8. */
const RECOVERY_MS = (LEASE_SECONDS * 15_000) / 8;
/** For how long a busy machine may let none of the processes run. */
const STANDSTILL_MS = 2_000;

interface WorkerProcess {
  readonly child: ChildProcess;
  readonly lines: string[];
}

function startProcess(url: string, leaseSeconds: number): WorkerProcess {
  const { path, execArgv } = scriptOf(join(__dirname, 'worker-process'));
  const child = spawn(process.execPath, [...execArgv, path, url, String(leaseSeconds)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  child.stdout.on('data', (data: Buffer) => lines.push(...data.toString().trim().split('\n')));
  return { child, lines };
}

describe('the jobs of a dead worker', () => {
  let database: TestDatabase;
  const processes: WorkerProcess[] = [];
  const workers: TestWorker[] = [];

  beforeEach(async () => {
    database = await createTestDatabase();
  });

  afterEach(async () => {
    for (const { child } of processes.splice(0)) {
      child.kill('SIGCONT');
      child.kill('SIGKILL');
    }
    await Promise.all(workers.splice(0).map((each) => each.stop()));
    await database.drop();
  });

  /** A process that runs the only job. */
  async function processWithJob(ms: number, leaseSeconds = LEASE_SECONDS): Promise<WorkerProcess> {
    const started = startProcess(database.url, leaseSeconds);
    processes.push(started);
    await eventually(() => expect(started.lines).toContain('ready'));
    const idle = await startWorker(database.url, leaseSeconds, () => undefined);
    workers.push(idle);
    await idle.add({ name: 'work', payload: { ms }, maxAttempts: 1 });
    await eventually(() => expect(started.lines.join()).toMatch(/begin \d+/));
    return started;
  }

  /** A worker in this process that may take the job over. @returns its runs, which grow */
  async function otherWorker(leaseSeconds = LEASE_SECONDS): Promise<readonly RunningJob[]> {
    const runs: RunningJob[] = [];
    workers.push(
      await startWorker(database.url, leaseSeconds, (handlers) =>
        handlers.register('work', z.unknown(), async (_, job) => {
          runs.push(job);
          await Promise.resolve();
        }),
      ),
    );
    return runs;
  }

  it('are taken over within 15 s of a kill -9 (by the default lease), even on their last attempt', async () => {
    const { child } = await processWithJob(60_000);
    const runs = await otherWorker();
    const killed = awakeMs();
    child.kill('SIGKILL');
    await eventually(() => expect(runs).toHaveLength(1));
    expect(awakeMs() - killed).toBeLessThan(timeBound(RECOVERY_MS + STANDSTILL_MS));
  });

  it('stay with a worker that is slow but alive', async () => {
    // A lease that outlasts the pauses of a busy machine.
    const { lines } = await processWithJob(3.9 * RECOVERY_MS, 3 * LEASE_SECONDS);
    const runs = await otherWorker(3 * LEASE_SECONDS);
    await eventually(() => expect(lines.join()).toMatch(/end \d+ held/));
    expect(runs).toHaveLength(0);
  });

  it('are taken over from a suspended process, which finds its lease lost and its fencing token outdated', async () => {
    const { child, lines } = await processWithJob(6_000);
    child.kill('SIGSTOP');
    const runs = await otherWorker();
    await eventually(() => expect(runs).toHaveLength(1));
    child.kill('SIGCONT');
    const end = await eventually(() => {
      const line = /end (\d+) (held|lost)/.exec(lines.join('\n'));
      expect(line).not.toBeNull();
      return line!;
    });
    expect(end[2]).toBe('lost');
    expect(Number(end[1])).toBeLessThan(runs[0]!.lease.fence);
    // Its next worker has a lease of its own and runs jobs again.
    await Promise.all(workers.splice(1).map((each) => each.stop()));
    lines.length = 0;
    await workers[0]!.add({ name: 'work', payload: { ms: 0 } });
    await eventually(() => expect(lines.join()).toMatch(/end \d+ held/));
  });

  it('are taken over although their process is suspended while it looks for dead workers itself', async () => {
    const { child } = await processWithJob(60_000);
    await Promise.all(workers.splice(0).map((each) => each.stop()));
    const [client, onlooker] = [new Client(database.url), new Client(database.url)];
    await Promise.all([client.connect(), onlooker.connect()]);
    try {
      // A row that the process waits for, in the middle of its transaction.
      await client.query(
        `INSERT INTO worker_heartbeats (worker_id, process, lease_until)
         VALUES ('gone', 'gone', clock_timestamp() + interval '1 s');
         COMMIT;
         BEGIN;
         SELECT 1 FROM worker_heartbeats WHERE worker_id = 'gone' FOR UPDATE`,
      );
      await eventually(async () => {
        const { rows } = await onlooker.query(
          `SELECT 1 FROM pg_stat_activity
            WHERE datname = current_database() AND query LIKE 'DELETE FROM worker_heartbeats%'
              AND wait_event_type = 'Lock'`,
        );
        expect(rows).toHaveLength(1);
      });
      child.kill('SIGSTOP');
      await client.query('ROLLBACK');
      const stopped = awakeMs();
      const runs = await otherWorker();
      await eventually(() => expect(runs).toHaveLength(1));
      expect(awakeMs() - stopped).toBeLessThan(timeBound(RECOVERY_MS + STANDSTILL_MS));
    } finally {
      await Promise.all([client.end(), onlooker.end()]);
    }
  });

  it('are found when their worker left no heartbeat at all', async () => {
    const setup = await startWorker(database.url, LEASE_SECONDS, () => undefined);
    workers.push(setup);
    await setup.add({ name: 'work', payload: {} });
    await setup.dataSource.query(
      `UPDATE graphile_worker._private_jobs SET locked_by = 'gone', locked_at = now(), attempts = 1
       WHERE task_id = (SELECT id FROM graphile_worker._private_tasks WHERE identifier = 'work')`,
    );
    const runs = await otherWorker();
    await eventually(() => expect(runs).not.toEqual([]), 120_000);
  });
});

describe('a worker whose database goes away', () => {
  let database: TestDatabase;
  let admin: Client;

  beforeEach(async () => {
    database = await createTestDatabase();
    const url = new URL(database.url);
    url.pathname = '/postgres';
    admin = new Client(url.href);
    await admin.connect();
  });

  afterEach(async () => {
    await admin.end();
    await database.drop();
  });

  async function cutOff(forMs: number): Promise<void> {
    const name = new URL(database.url).pathname.slice(1);
    await admin.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS false`);
    await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
    await new Promise((resolve) => setTimeout(resolve, forMs));
    await admin.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS true`);
  }

  it('recovers when it is back, and runs again what it could not report', async () => {
    const ran: number[] = [];
    let release: () => void = () => undefined;
    const worker = await startWorker(database.url, LEASE_SECONDS, (handlers) =>
      handlers.register('work', z.number(), async (n, job) => {
        if (n === 1 && job.attempt === 1) await new Promise<void>((resolve) => (release = resolve));
        ran.push(n);
      }),
    );
    try {
      await worker.add({ name: 'work', payload: 1 });
      await eventually(() => expect(worker.runner.counts().running).toBe(1));
      const away = cutOff(LEASE_SECONDS * 500);
      await new Promise((resolve) => setTimeout(resolve, LEASE_SECONDS * 250));
      release();
      await away;
      await eventually(() => worker.add({ name: 'work', payload: 2 }));
      await eventually(async () => {
        expect(ran).toContain(2);
        const left = await worker.dataSource.query<unknown>(
          `SELECT id FROM graphile_worker.jobs WHERE task_identifier = 'work'`,
        );
        expect(left).toEqual([]);
      });
      expect(ran.filter((n) => n === 1).length).toBeGreaterThanOrEqual(1);
    } finally {
      await worker.stop();
    }
  });

  it('runs a job that it fetched without hearing of it', async () => {
    const ran: number[] = [];
    const worker = await startWorker(database.url, LEASE_SECONDS, (handlers) =>
      handlers.register('work', z.number(), (n) => {
        ran.push(n);
        return Promise.resolve();
      }),
    );
    try {
      const workerId = await eventually(async () => {
        const [row] = await worker.dataSource.query<{ worker_id: string }[]>(
          'SELECT worker_id FROM worker_heartbeats',
        );
        if (row === undefined) throw new Error('The worker has not started.');
        return row.worker_id;
      });
      await worker.dataSource.transaction(async (transaction) => {
        await new JobQueue().add(transaction, { name: 'work', payload: 1 });
        // As a fetch leaves it whose connection breaks after the commit.
        await transaction.query(
          'UPDATE graphile_worker._private_jobs SET locked_by = $1, locked_at = now(), attempts = 1',
          [workerId],
        );
      });
      await eventually(() => expect(ran).toEqual([1]), 60_000);
    } finally {
      await worker.stop();
    }
  });
});
