import { execFileSync } from 'node:child_process';
import { call } from '../../support/service/http';
import { startTestApp, type TestApp } from '../../support/service/app';
import { isAlive, SandboxService } from '../../support/agent-server/sandboxes';

describe('two workers of one host', () => {
  let service: SandboxService;
  let second: TestApp;

  beforeAll(async () => {
    service = await SandboxService.start();
    second = await startTestApp({ env: service.env, database: service.database });
  });

  afterAll(async () => {
    await second.close();
    await service.stop();
  });

  it('never run a sandbox twice, whatever is asked of them at once', async () => {
    const { id } = await service.createRunning();
    const { key } = service.caller;
    for (let round = 0; round < 5; round++)
      await Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          call(
            n % 2 === 0 ? service.app : second,
            'POST',
            `/api/v1/sandboxes/${id}/${n % 3 === 0 ? 'pause' : 'resume'}`,
            {
              key,
            },
          ),
        ),
      );
    await service.call('POST', `/api/v1/sandboxes/${id}/resume`);
    await service.until(id, 'RUNNING');
    const listed = execFileSync('ps', ['-axo', 'args='], { encoding: 'utf8' });
    const program = `${process.execPath} ${service.dataDir}/agent-server.cjs `;
    const mine = listed.split('\n').filter((line) => line.startsWith(program));
    expect(mine).toHaveLength(1);
    expect(isAlive(await service.pid(id))).toBe(true);
  });
});
