import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDatabaseUnavailable } from '../../src/kernel/database';
import { JobRunner } from '../../src/kernel/jobs';
import { ask } from '../support/database/ask';
import { StoppablePostgres } from '../support/database/stoppable-postgres';
import { eventually } from '../support/eventually';
import { type TestApp, startTestApp } from '../support/service/app';
import { makeCaller, makeOrg } from '../support/service/factories';
import { type HttpResponse, call, type ErrorBody } from '../support/service/http';

const READ_ONLY = 'The database is read-only at the moment; try again shortly.';
const DISK_FULL = 'The disk of the database is full.';

/** A disk of its own, which only a machine's owner can make. */
const disk = mkdtempSync(join(tmpdir(), 'small-disk-'));
const hasDisk = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=160m,mode=755', 'tmpfs', disk]).status === 0;
afterAll(() => {
  if (hasDisk) spawnSync('umount', [disk]);
  rmSync(disk, { recursive: true, force: true });
});

/** One statement of the database's operator, who may write all the same. */
function operate(postgres: StoppablePostgres, sql: string): Promise<unknown[]> {
  return ask(`${postgres.superuserUrl}?options=-c%20default_transaction_read_only%3Doff`, sql);
}

/** A service on a PostgreSQL of its own, and a key. */
class Running {
  private constructor(
    readonly postgres: StoppablePostgres,
    readonly app: TestApp,
    private readonly key: string,
  ) {}

  static async start(parent?: string): Promise<Running> {
    const postgres = await StoppablePostgres.make(parent);
    const database = { url: postgres.url, drop: () => postgres.remove() };
    const app = await startTestApp({ database, env: { JOB_LEASE_SECONDS: '2' } });
    const { key } = await makeCaller(app.db, (await makeOrg(app.db)).id);
    return new Running(postgres, app, key);
  }

  write(): Promise<HttpResponse<ErrorBody>> {
    return call(this.app, 'POST', '/api/keys', { key: this.key, body: { name: 'written' } });
  }

  ready(): Promise<HttpResponse<ErrorBody>> {
    return call(this.app, 'GET', '/ready');
  }

  async expectRefused(detail: string): Promise<void> {
    for (const response of [await this.write(), await this.ready()]) {
      expect([response.status, response.body]).toEqual([
        503,
        expect.objectContaining({ code: 'database_unavailable', detail }),
      ]);
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    }
  }

  /** Of ten writes at once none fails: no connection of the bad time is left. */
  async expectBack(): Promise<void> {
    await eventually(async () => expect((await this.ready()).status).toBe(200));
    const writes = await Promise.all(Array.from({ length: 10 }, () => this.write()));
    expect(writes.map(({ status }) => status)).toEqual(writes.map(() => 200));
  }

  async stop(): Promise<void> {
    await this.app.close();
    await this.postgres.remove();
  }
}

describe('a service whose database takes no writes', () => {
  let running: Running;
  beforeAll(async () => (running = await Running.start()));
  afterAll(() => running.stop());

  /** As an operator would: sessions that are open keep what they began with. */
  const readOnly = (value: 'on' | 'off'): Promise<unknown> =>
    operate(running.postgres, `ALTER DATABASE postgres SET default_transaction_read_only = ${value}`);

  const endSessions = (): Promise<unknown> =>
    operate(
      running.postgres,
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
        WHERE usename = 'conversation_service'`,
    );

  it('answers 503 while it is read-only, and works as before once it is not, without a restart', async () => {
    await running.expectBack();
    await readOnly('on');
    try {
      await endSessions();
      await eventually(async () => expect((await running.ready()).body.detail).toBe(READ_ONLY));
      // As many sessions of the bad time as the pool holds.
      const refused = await Promise.all(Array.from({ length: 10 }, () => running.write()));
      expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 503));
      await running.expectRefused(READ_ONLY);
      expect((await call(running.app, 'GET', '/alive')).status).toBe(200);
    } finally {
      await readOnly('off');
    }
    await running.expectBack();
  });

  it('runs jobs again too', async () => {
    const succeeded = (): number =>
      [...running.app.app.get(JobRunner).counts().runs().values()].reduce(
        (sum, runs) => sum + runs.succeeded,
        0,
      );
    const before = succeeded();
    await readOnly('on');
    await endSessions();
    await eventually(async () => expect((await running.ready()).body.detail).toBe(READ_ONLY));
    await readOnly('off');
    await running.expectBack();
    await eventually(() => expect(succeeded()).toBeGreaterThan(before), 60_000);
  });

  it('answers on after every one of its sessions was ended at once', async () => {
    await endSessions();
    await running.expectBack();
  });

  it('tells an administrator who cancels a statement apart from its own time limit', async () => {
    const cancelled = running.app.db.query('SELECT pg_sleep(30)').catch((error: unknown) => error);
    await eventually(async () => {
      const found = await operate(
        running.postgres,
        `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(30)' AND state = 'active'`,
      );
      expect(found).toHaveLength(1);
    });
    expect(isDatabaseUnavailable(await cancelled)).toBe(true);
    const slow = await running.app.db
      .transaction(async (transaction) => {
        await transaction.query('SET LOCAL statement_timeout = 50');
        await transaction.query('SELECT pg_sleep(5)');
      })
      .catch((error: unknown) => error);
    expect(isDatabaseUnavailable(slow)).toBe(false);
  });
});

describe('a service whose database has no room left', () => {
  (hasDisk ? it : it.skip)('says so until there is room again', async () => {
    const running = await Running.start(disk);
    try {
      await running.expectBack();
      const filler = join(disk, 'filler');
      await eventually(async () => {
        // Again: what PostgreSQL gave back meanwhile is room, too.
        await fill(filler);
        expect((await running.ready()).body).toMatchObject({
          code: 'database_unavailable',
          detail: DISK_FULL,
        });
      });
      await rm(filler);
      await running.expectBack();
    } finally {
      await running.stop();
    }
  });
});

async function fill(path: string): Promise<void> {
  const file = await open(path, 'a');
  try {
    for (const size of [1 << 20, 4096]) for (;;) if (!(await written(file.write(Buffer.alloc(size))))) break;
  } finally {
    await file.close();
  }
}

function written(writing: Promise<{ bytesWritten: number }>): Promise<boolean> {
  return writing.then(
    ({ bytesWritten }) => bytesWritten > 0,
    () => false,
  );
}
