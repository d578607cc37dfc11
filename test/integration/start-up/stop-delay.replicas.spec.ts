import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newKey } from '../../../src/accounts/api-keys/keys/key-format';
import { awakeMs } from '../../support/awake-clock';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { eventually } from '../../support/eventually';
import { ServiceProcess } from '../../support/service/service-process';
import { timeBound } from '../../support/time-bound';

/** Two signals within this time count as one. */
const SAME_SIGNAL_MS = 400;

describe('a service that waits before it stops', () => {
  const key = newKey();
  let dataDir: string;
  let database: TestDatabase;
  let service: ServiceProcess;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'stop-delay-'));
    database = await createTestDatabase();
  });

  afterEach(async () => {
    await service.discard();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  function start(seconds: number): Promise<string> {
    service = ServiceProcess.start({
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      SECRET_KEY: 'a key of the tests: 0123456789abcdef',
      BOOTSTRAP_KEY: key,
      STOP_DELAY_SECONDS: String(seconds),
    });
    return service.ready;
  }

  it('is not ready from the signal on, while everything else goes on over connections that it closes', async () => {
    const url = await start(300);
    expect((await fetch(`${url}/ready`)).status).toBe(200);
    service.child.kill('SIGTERM');

    await eventually(async () => {
      const response = await fetch(`${url}/ready`);
      expect([response.status, await response.json()]).toEqual([
        503,
        { detail: expect.any(String) as string, code: 'service_stopping' },
      ]);
    });
    const heardBefore = performance.now();
    expect((await fetch(`${url}/health`)).status).toBe(503);
    expect((await fetch(`${url}/alive`)).status).toBe(200);
    const made = await fetch(`${url}/api/keys`, {
      method: 'POST',
      headers: { 'X-Access-Token': key, 'Content-Type': 'application/json' },
      body: '{"name": "made meanwhile"}',
    });
    expect([made.status, made.headers.get('connection')]).toEqual([200, 'close']);
    expect(service.child.exitCode).toBeNull();

    // A second signal comes from somebody who does not wait.
    await eventually(() => expect(performance.now() - heardBefore).toBeGreaterThan(SAME_SIGNAL_MS));
    expect(await service.stop('SIGTERM')).toBe(130);
  });

  it('stops after the delay as it does without one', async () => {
    await start(1);
    const [began, beganAwake] = [performance.now(), awakeMs()];
    expect(await service.stop('SIGTERM')).toBe(0);
    expect(performance.now() - began).toBeGreaterThan(900);
    expect(awakeMs() - beganAwake).toBeLessThan(timeBound(6_000));
    expect(service.output).toContain('The service is not ready any more and stops in 1 s.');
  });
});
