import { BuiltInDrivers } from '../../../src/drivers';
import { embeddedAgentServerCommand } from '../../../src/appliance/embedded-agent-server';
import { Metrics } from '../../../src/kernel/http';
import { AgentServerClient } from '../../../src/sandboxes/agent-server';
import { readSettings } from '../../../src/kernel/config';
import { doorPath, SandboxDrivers } from '../../../src/sandboxes/sandboxes';
import { SandboxInspection } from '../../../src/sandboxes/sandboxes/lifecycle/health/sandbox-inspection';
import { SandboxCapacity } from '../../../src/sandboxes/sandboxes/record/sandbox-capacity';
import { Sandbox } from '../../../src/sandboxes/sandboxes/record/sandbox.entity';
import { ProcessDriver } from '../../../src/drivers/processes/process.driver';
import { startTestApp, type TestApp } from '../../support/service/app';
import { eventually } from '../../support/eventually';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { call, type ErrorBody } from '../../support/service/http';
import { MachinesDriver, MachinesModule } from '../../support/agent-server/machines';
import type { SandboxRecord } from '../../support/agent-server/sandboxes';

describe('a driver that an extension brings', () => {
  let app: TestApp;
  let driver: MachinesDriver;
  let caller: TestCaller;

  beforeAll(async () => {
    app = await startTestApp({
      env: { SANDBOX_DRIVER: 'machines', JOB_LEASE_SECONDS: '2', LLM_MODEL: 'echo' },
      drivers: ['machines'],
      extensions: [MachinesModule],
    });
    driver = app.app.get(MachinesDriver);
    caller = await makeCaller(app.db, (await makeOrg(app.db)).id);
  });
  afterAll(() => app.close());

  const ask = <Body>(method: string, path: string, body?: unknown) =>
    call<Body>(app, method, `/api/v1/${path}`, { key: caller.key, ...(body !== undefined && { body }) });

  function until(id: string, status: string, withinMs?: number): Promise<SandboxRecord> {
    return eventually(async () => {
      const [record] = (await ask<SandboxRecord[]>('GET', `sandboxes?id=${id}`)).body;
      if (record?.status !== status) throw new Error(`The sandbox is ${record?.status}, not ${status}.`);
      return record;
    }, withinMs);
  }

  /** Waits until a run has owned a sandbox for longer than it owns one without saying so again. */
  async function ownedFor(id: string, ms: number): Promise<void> {
    const owned = `SELECT 1 FROM sandboxes WHERE id = $1 AND claimed_until > now() AND created_at < now() - $2 * interval '1 ms'`;
    await eventually(async () => expect(await app.db.query(owned, [id, ms])).toHaveLength(1));
  }

  it('is what new sandboxes are made of', async () => {
    const { body } = await ask<{ items: unknown }>('GET', 'sandbox-specs/search');
    expect(body.items).toEqual([{ id: 'machines', description: driver.description }]);
  });

  it('is reached by the door where callers do not reach its agent servers', async () => {
    Object.assign(driver.capabilities, { reachableByCallers: false });
    try {
      const { id } = (await ask<SandboxRecord>('POST', 'sandboxes')).body;
      const { exposed_urls: urls } = await until(id, 'RUNNING');
      const door = doorPath(id);
      expect(urls?.map(({ url }) => new URL(url).pathname)).toEqual([door]);
      expect((await call(app, 'GET', `${door}/server_info`, { key: caller.key })).status).toBe(200);
      await ask('DELETE', `sandboxes/${id}`);
    } finally {
      Object.assign(driver.capabilities, { reachableByCallers: true });
    }
  });

  it('starts, pauses, resumes and deletes them, and says where callers reach them', async () => {
    const { id } = (await ask<SandboxRecord>('POST', 'sandboxes')).body;
    const running = await until(id, 'RUNNING');
    const machine = driver.machines.get(id);
    expect(running.sandbox_spec_id).toBe('machines');
    expect(running.session_api_key).toBe(machine?.target.apiKey);
    expect(running.exposed_urls).toEqual([
      { name: 'AGENT_SERVER', url: machine?.url, port: Number(new URL(machine?.url ?? '').port) },
    ]);
    await ask('POST', `sandboxes/${id}/pause`);
    await eventually(() => expect(driver.machines.get(id)).toBeNull());
    driver.isThere = false;
    const refused = await ask<ErrorBody>('POST', `sandboxes/${id}/resume`);
    expect([refused.status, refused.body.code]).toEqual([503, 'sandbox_driver_unavailable']);
    driver.isThere = true;
    expect((await ask('POST', `sandboxes/${id}/resume`)).status).toBe(200);
    await until(id, 'RUNNING');
    await ask('DELETE', `sandboxes/${id}`);
    await until(id, 'MISSING');
    expect(driver.machines.has(id)).toBe(false);
  });

  it('is asked for a start once, also where that takes longer than a run owns a sandbox', async () => {
    const start = driver.start.bind(driver);
    const asked = jest.spyOn(driver, 'start').mockImplementationOnce(async (sandbox) => {
      await ownedFor(sandbox.id, 10_000);
      return start(sandbox);
    });
    const { id } = (await ask<SandboxRecord>('POST', 'sandboxes')).body;
    await until(id, 'RUNNING');
    expect(asked).toHaveBeenCalledTimes(1);
    asked.mockRestore();
    await ask('DELETE', `sandboxes/${id}`);
  });

  it('is asked to end a sandbox that was given up while it started', async () => {
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const start = driver.start.bind(driver);
    const asked = jest.spyOn(driver, 'start').mockImplementation(async (sandbox) => {
      await finished;
      return start(sandbox);
    });
    const { id } = (await ask<SandboxRecord>('POST', 'sandboxes')).body;
    await eventually(() => expect(asked).toHaveBeenCalled());
    // As if its time were long over, and with it the claim of who starts it.
    const late = `UPDATE sandboxes SET deadline_at = '2020-01-01', claimed_until = NULL WHERE id = $1`;
    const failed = await eventually(async () => {
      await app.db.query(late, [id]);
      return until(id, 'ERROR', 1_000);
    });
    expect(failed.status_detail).toBe('The sandbox did not get there in time.');
    finish();
    await eventually(() => expect(driver.machines.get(id)).toBeNull());
    asked.mockRestore();
    expect((await ask('POST', `sandboxes/${id}/resume`)).status).toBe(200);
    await until(id, 'RUNNING');
    await ask('DELETE', `sandboxes/${id}`);
  });

  it('that is not there any more keeps nobody from seeing that its sandboxes do not start', async () => {
    const { id } = (await ask<SandboxRecord>('POST', 'sandboxes')).body;
    await until(id, 'RUNNING');
    const gone = `UPDATE sandboxes SET driver = 'gone', status = 'STARTING', deadline_at = '2020-01-01' WHERE id = $1`;
    await app.db.query(gone, [id]);
    await until(id, 'ERROR');
    await app.db.query(`UPDATE sandboxes SET driver = 'machines' WHERE id = $1`, [id]);
    await ask('DELETE', `sandboxes/${id}`);
  });

  it('that is not there any more lets its sandboxes be deleted, and says what stays', async () => {
    const id = await deletedWithoutDriver();
    await app.db.query('UPDATE sandboxes SET deadline_at = now() WHERE id = $1', [id]);
    expect((await until(id, 'MISSING')).status_detail).toBe(
      'The sandbox was deleted here. What it runs on was not: there is no sandbox driver removed any more.',
    );
    await driver.machines.get(id)?.stop();
  });

  it('that is not there any more has its sandboxes neither inspected nor counted', async () => {
    const other = await makeCaller(app.db, (await makeOrg(app.db)).id);
    const { id } = (await call<SandboxRecord>(app, 'POST', '/api/v1/sandboxes', { key: other.key })).body;
    const sandbox = await eventually(() =>
      app.db.manager.findOneByOrFail(Sandbox, { id, status: 'RUNNING' }),
    );
    const counted = () =>
      app.db.transaction((transaction) => app.app.get(SandboxCapacity).inUse(transaction, other.orgId, null));
    expect(await counted()).toMatchObject({ of_org: 1 });
    await app.db.query(`UPDATE sandboxes SET driver = 'removed' WHERE id = $1`, [id]);
    expect(await counted()).toMatchObject({ of_org: 0 });
    sandbox.driver = 'removed';
    const inspected = app.app.get(SandboxInspection).inspect(sandbox, new Date());
    await expect(inspected).resolves.toBeUndefined();
    await driver.machines.get(id)?.stop();
  });

  it('that another replica has is waited for by a deletion', async () => {
    const id = await deletedWithoutDriver();
    expect(driver.machines.has(id)).toBe(true);
    await app.db.query(`UPDATE sandboxes SET driver = 'machines' WHERE id = $1`, [id]);
    expect((await until(id, 'MISSING')).status_detail).toBe('The sandbox was deleted.');
    expect(driver.machines.has(id)).toBe(false);
  });

  /** Deletes a sandbox whose driver is not there. @returns its id, once a run has had it to itself */
  async function deletedWithoutDriver(): Promise<string> {
    const { id } = (await ask<SandboxRecord>('POST', 'sandboxes')).body;
    await until(id, 'RUNNING');
    const renamed = `UPDATE sandboxes SET driver = 'removed' WHERE id = $1 RETURNING fence`;
    const [[{ fence }]] = await app.db.query<[[{ fence: string }]]>(renamed, [id]);
    await ask('DELETE', `sandboxes/${id}`);
    const left = `SELECT status, stopping FROM sandboxes WHERE id = $1 AND fence > $2 AND claimed_until IS NULL`;
    await eventually(async () =>
      expect(await app.db.query(left, [id, fence])).toEqual([{ status: 'PAUSED', stopping: 'delete' }]),
    );
    return id;
  }

  it('carries conversations', async () => {
    const task = (
      await ask<{ id: string }>('POST', 'app-conversations', {
        initial_message: { content: [{ type: 'text', text: 'Hello' }] },
      })
    ).body;
    const started = await eventually(async () => {
      const path = `app-conversations/start-tasks?ids=${task.id}`;
      const [state] = (await ask<{ status: string; sandbox_id: string }[]>('GET', path)).body;
      if (state?.status !== 'READY') throw new Error(`The task is ${state?.status}.`);
      return state;
    });
    const machine = driver.machines.get(started.sandbox_id);
    await eventually(() =>
      expect(machine?.calls.filter(({ path }) => path.endsWith('/events')).at(-1)?.body).toContain('Hello'),
    );
    await ask('DELETE', `sandboxes/${started.sandbox_id}`);
    await until(started.sandbox_id, 'MISSING');
  });

  it('has to be there when the settings name it', async () => {
    const settings = readSettings({ SANDBOX_DRIVER: 'machines' }, ['machines']);
    const drivers = new SandboxDrivers(settings);
    await expect(drivers.onModuleInit()).rejects.toThrow('There is no sandbox driver machines.');
    drivers.register(driver);
    await expect(drivers.onModuleInit()).resolves.toBeUndefined();
    expect(() => drivers.register(driver)).toThrow('There are two sandbox drivers machines.');
  });

  it('keeps nothing else from closing when it cannot', async () => {
    const settings = readSettings({});
    const drivers = new SandboxDrivers(settings);
    const command = embeddedAgentServerCommand();
    new BuiltInDrivers(drivers, settings, app.app.get(AgentServerClient), new Metrics(), command);
    const close = () => {
      throw new Error('a wheel came off');
    };
    Object.assign(new MachinesDriver(drivers), { close });
    const closed = jest.spyOn(ProcessDriver.prototype, 'close');
    await expect(drivers.close()).rejects.toThrow('a wheel came off');
    // Embedded, and of processes.
    expect(closed).toHaveBeenCalledTimes(2);
    closed.mockRestore();
  });
});
