import type { DriverFixture, ServiceWithDriver } from '../../src/operations/testing';
import { describeWithEngine } from '../support/containers/container-engine';
import { eventually } from '../support/eventually';
import { type DockerFixture, openDocker } from './docker-fixture';
import { makeDatabase, startOwn, withDatabase } from './own-service';
import { isLong } from '../support/rounds';

const FILE = '/workspace/project/kept';

/** docker-driver.spec.ts has several drivers ask at once, without services. */
const itWhenLong = isLong ? it : it.skip;

describeWithEngine('containers that are pre-warmed', () => {
  let fixture: DockerFixture;
  let shared: DriverFixture;
  let service: ServiceWithDriver;

  beforeAll(async () => {
    const docker = await openDocker();
    fixture = { ...docker, env: { ...docker.env, SANDBOX_WARM: '1' } };
    shared = withDatabase(fixture, await makeDatabase());
    service = await startOwn(shared);
  });
  afterAll(async () => {
    try {
      await service.close();
    } finally {
      await shared.close();
    }
  });

  const names = async (kind: 'container' | 'volume' | 'network', prefix: string): Promise<string[]> => {
    const format = kind === 'container' ? '{{.Names}}' : '{{.Name}}';
    const listed = await fixture.engine.docker(kind, 'ls', '--filter', `name=${prefix}`, '--format', format);
    return listed.split('\n').filter((name) => name !== '');
  };

  /** Waits until one waits. @returns its name */
  const waiting = (): Promise<string> =>
    eventually(async () => {
      const [name, ...others] = await names('container', 'warm-');
      if (name === undefined || others.length > 0) throw new Error('There is not one container pre-warmed.');
      expect(await fixture.engine.docker('logs', name)).not.toContain('Error');
      const [address] = (
        await fixture.engine.docker(
          'inspect',
          '--format',
          '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}',
          name,
        )
      ).split('\n');
      expect((await fetch(`http://${address}:8000/ready`)).status).toBe(200);
      return name;
    }, 60_000);

  it('become sandboxes, with keys of their own, files that stay, and another one made in their place', async () => {
    const ahead = await waiting();
    const before = await fixture.engine.docker('inspect', '--format', '{{.Id}}', ahead);
    const { id, session_api_key } = await service.createRunning();
    const seen = await fixture.visible?.(id);
    expect(seen).toContain(before);
    expect(seen).not.toContain(session_api_key);
    await service.run(id, `echo something > ${FILE}`);
    expect(await waiting()).not.toBe(ahead);
    await service.pause(id);
    await service.restart();
    await service.resume(id);
    expect((await service.run(id, `cat ${FILE}`)).stdout).toBe('something\n');
    await service.deleteAll([id]);
    const left = [
      await names('volume', ahead),
      await names('network', ahead),
      await names('container', ahead),
    ];
    expect(left.flat()).toEqual([]);
  });

  itWhenLong('are one sandbox each, whoever asks at once, and those that find none are made', async () => {
    await waiting();
    const second = await startOwn(shared);
    try {
      const asked = await Promise.all([service, second, service, second].map((replica) => replica.create()));
      for (const { id } of asked) await service.until(id, 'RUNNING');
      const addresses = await Promise.all(asked.map(({ id }) => fixture.address(id)));
      expect(new Set(addresses).size).toBe(asked.length);
      await service.deleteAll(asked.map(({ id }) => id));
    } finally {
      await second.end();
    }
  });

  it('are removed where none are wanted any more', async () => {
    await waiting();
    await service.restart({ SANDBOX_WARM: '0' });
    await eventually(async () => {
      const left = [
        await names('container', 'warm-'),
        await names('network', 'warm-'),
        await names('volume', 'warm-'),
      ];
      expect(left.flat()).toEqual([]);
    }, 60_000);
  });
});
