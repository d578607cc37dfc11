import { z } from 'zod';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { eventually } from '../../support/eventually';
import { startTcpProxy, type TcpProxy } from '../../support/service/tcp-proxy';
import { startWorker } from './worker';

const LEASE_SECONDS = 30;

describe('a worker that is stopped while its database is away', () => {
  let database: TestDatabase;
  let proxy: TcpProxy;

  beforeAll(async () => {
    database = await createTestDatabase();
    proxy = await startTcpProxy(database.url);
  });
  afterAll(() => database.drop());

  it('prints no stack trace past the log', async () => {
    const trace = jest.spyOn(console, 'trace').mockImplementation(() => undefined);
    let ran = 0;
    const worker = await startWorker(proxy.url, LEASE_SECONDS, (handlers) =>
      handlers.register('work', z.object({}), () => {
        ran++;
        return Promise.resolve();
      }),
    );
    await worker.add({ name: 'work', payload: {} });
    await eventually(async () =>
      expect([
        ran,
        await worker.dataSource.query("SELECT id FROM graphile_worker.jobs WHERE task_identifier = 'work'"),
      ]).toEqual([1, []]),
    );
    proxy.freeze();
    // Places have asked for jobs, without a response.
    await eventually(() => expect(proxy.heldBack()).toBeGreaterThanOrEqual(2));
    const stopped = worker.stop();
    await proxy.cut();
    await stopped;
    expect(trace).not.toHaveBeenCalled();
    trace.mockRestore();
  });
});
