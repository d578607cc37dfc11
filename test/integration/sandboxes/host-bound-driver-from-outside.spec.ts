import { randomUUID } from 'node:crypto';
import { startTestApp, type TestApp } from '../../support/service/app';
import {
  LocalMachinesDriver,
  LocalMachinesModule,
  MachineHost,
} from '../../support/agent-server/local-machines';
import type { SandboxRecord } from '../../support/agent-server/sandboxes';
import { ask } from '../../support/database/ask';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { eventually } from '../../support/eventually';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { recurFaster } from '../../support/service/recurring-jobs';
import { call } from '../../support/service/http';

describe.each([
  ['runs on without the service', false],
  ['stops with the service', true],
])('a host-bound driver that an extension brings and that %s', (_, stopsWithService) => {
  let database: TestDatabase;
  let host: MachineHost;
  let app: TestApp;
  let caller: TestCaller;

  async function startApp(): Promise<TestApp> {
    const started = await startTestApp({
      env: { SANDBOX_DRIVER: 'local-machines', JOB_LEASE_SECONDS: '2' },
      database,
      drivers: ['local-machines'],
      extensions: [LocalMachinesModule.on(host)],
    });
    recurFaster(started.app, 'sandbox-');
    return started;
  }

  beforeAll(async () => {
    database = await createTestDatabase();
    host = new MachineHost(stopsWithService);
    app = await startApp();
    caller = await makeCaller(app.db, (await makeOrg(app.db)).id);
  });

  afterAll(async () => {
    await app.close();
    await database.drop();
    await host.stop();
  });

  const request = <Body>(method: string, path: string) =>
    call<Body>(app, method, `/api/v1/${path}`, { key: caller.key });

  function until(id: string, status: string): Promise<SandboxRecord> {
    return eventually(async () => {
      const [record] = (await request<SandboxRecord[]>('GET', `sandboxes?id=${id}`)).body;
      if (record?.status !== status) throw new Error(`The sandbox is ${record?.status}, not ${status}.`);
      return record;
    });
  }

  async function createRunning(): Promise<SandboxRecord> {
    return until((await request<SandboxRecord>('POST', 'sandboxes')).body.id, 'RUNNING');
  }

  /** Keeps the health monitor from looking for itself. */
  async function withoutHealthMonitor(): Promise<void> {
    await eventually(async () => {
      const parked = await app.db.query<[unknown[], number]>(
        `UPDATE graphile_worker._private_jobs SET run_at = now() + interval '1 hour'
          WHERE key = 'every:sandbox-watch@test-host' AND locked_at IS NULL RETURNING id`,
      );
      expect(parked[1]).toBe(1);
    });
  }

  it('is prepared before its first sandbox starts, and reached by the public address of the host', async () => {
    const { id, exposed_urls } = await createRunning();
    expect(host.callsOf(null)).toContain('prepare');
    expect(host.calls[0]).toEqual({ what: 'prepare', id: null });
    const [url] = exposed_urls!;
    expect(url?.url).toBe(`http://127.77.0.1:${new URL(host.machines.get(id)!.url).port}`);
  });

  it('has its sandboxes RUNNING again after a restart of the service', async () => {
    const { id } = await createRunning();
    const machine = host.machines.get(id);
    await app.close();
    expect(host.callsOf(id)).toEqual(stopsWithService ? ['start', 'stopNow'] : ['start']);
    app = await startApp();
    await until(id, 'RUNNING');
    expect(host.callsOf(id)).toEqual(stopsWithService ? ['start', 'stopNow', 'start'] : ['start']);
    expect(host.machines.get(id) === machine).toBe(!stopsWithService);
  });

  it('has those adopted that were given up while their host was away', async () => {
    const { id } = await createRunning();
    await app.db.query(`UPDATE sandboxes SET host_id = 'away' WHERE id = $1`, [id]);
    const failed = await until(id, 'ERROR');
    expect(failed.status_detail).toBe('The host of the sandbox does not answer.');
    // While it ran, the service would adopt it by itself, and stop it at its own end.
    await app.close();
    await ask(database.url, `UPDATE sandboxes SET host_id = 'test-host' WHERE id = $1`, [id]);
    app = await startApp();
    await until(id, 'RUNNING');
    expect(host.callsOf(id)).toEqual(['start']);
  });

  it('reports an exit, and need not wait for the health monitor', async () => {
    const { id } = await createRunning();
    await withoutHealthMonitor();
    await app.app.get(LocalMachinesDriver).crash(id);
    expect((await until(id, 'ERROR')).status_detail).toBe('The agent server ended unexpectedly.');
  });

  it('removes what is left of a sandbox that nobody knows any more, also beside that of a driver that is gone', async () => {
    const { id } = await createRunning();
    const ofOther = randomUUID();
    await app.db.query(
      `INSERT INTO sandbox_leftovers (sandbox_id, host_id, driver) VALUES ($1, 'test-host', 'removed')`,
      [ofOther],
    );
    await app.db.query('DELETE FROM organizations WHERE id = $1', [caller.orgId]);
    await eventually(() => expect(host.machines.has(id)).toBe(false));
    expect(host.callsOf(id).at(-1)).toBe('delete');
    await eventually(async () => {
      const left = await app.db.query<object[]>('SELECT sandbox_id FROM sandbox_leftovers');
      expect(left).toEqual([{ sandbox_id: ofOther }]);
    });
  });
});
