import type { DriverFixture, ServiceWithDriver } from '../../src/operations/testing';
import { describeWithEngine } from '../support/containers/container-engine';
import { TlsProxy } from '../support/containers/tls-proxy';
import { call } from '../support/service/http';
import { type DockerFixture, openDocker } from './docker-fixture';
import { makeDatabase, type OwnDatabase, startOwn, withDatabase } from './own-service';

describeWithEngine('replicas of a service whose sandboxes are containers', () => {
  let fixture: DockerFixture;
  let database: OwnDatabase;
  let shared: DriverFixture;
  let first: ServiceWithDriver;

  beforeAll(async () => {
    fixture = await openDocker();
    database = await makeDatabase();
    shared = withDatabase(fixture, database);
    first = await startOwn(shared);
  });
  afterAll(async () => {
    try {
      await first.close();
    } finally {
      await shared.close();
    }
  });

  it('that share an engine go on with the sandboxes of one that was killed', async () => {
    const second = await startOwn(shared);
    try {
      const { id } = await first.createRunning();
      await first.run(id, 'echo something > /workspace/project/kept');
      await first.kill();
      expect((await second.run(id, 'cat /workspace/project/kept')).stdout).toBe('something\n');
      await second.pause(id);
      await second.resume(id);
      await fixture.kill(id);
      await second.until(id, 'ERROR');
      await second.deleteAll([id]);
    } finally {
      await first.restart();
      await second.end();
    }
  });

  it('reach an engine by TLS, and its containers at ports of its host', async () => {
    const proxy = await TlsProxy.start(fixture.engine.address.replace('unix://', ''));
    const env = {
      ...fixture.env,
      DOCKER_HOST: `tcp://127.0.0.1:${proxy.port}`,
      DOCKER_CERT_PATH: proxy.folder,
      SANDBOX_ISOLATION: 'none',
    };
    const remote = await startOwn(withDatabase({ ...fixture, env }, database));
    // So that it is the other one that runs the sandbox.
    await first.kill();
    try {
      expect(remote.output).toContain('Containers may reach services of the engine');
      const { id } = await remote.createRunning();
      expect((await remote.run(id, 'echo here')).stdout).toBe('here\n');
      expect(await fixture.engine.docker('port', `sandbox-${id}`)).toMatch(/^8000\/tcp -> 127\.0\.0\.1:\d+$/);
      await remote.deleteAll([id]);
    } finally {
      await first.restart();
      await remote.end();
      await proxy.stop();
    }
  });

  it('with engines of their own leave each sandbox to the one that has its engine', async () => {
    const other = await openDocker();
    const second = await startOwn(withDatabase(other, database));
    try {
      const [here, there] = [await first.createRunning(), await second.createRunning()];
      expect(await fixture.remains(here.id)).not.toEqual([]);
      expect(await other.remains(there.id)).not.toEqual([]);
      expect(await fixture.remains(there.id)).toEqual([]);
      // Whoever is asked, the other one does it.
      await first.ask(there.id, 'pause');
      await second.rests(there.id);
      await second.ask(here.id, 'pause');
      await first.rests(here.id);
      const path = `/api/v1/sandboxes/${there.id}/logs`;
      const logs = await call<{ code: string }>(first, 'GET', path, { key: first.key });
      expect([logs.status, logs.body.code]).toEqual([503, 'sandbox_logs_elsewhere']);
      await first.resume(there.id);
      await first.deleteAll([here.id]);
      await second.deleteAll([there.id]);
    } finally {
      await second.end();
      await other.close();
    }
  });
});
