import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { digestOf, newId } from '../../../src/common';
import { readSettings, type Settings } from '../../../src/config';
import { BridgeFirewall } from '../../../src/sandboxes/drivers/docker/bridge-firewall';
import { DockerDriver } from '../../../src/sandboxes/drivers/docker/docker.driver';
import { Engine } from '../../../src/sandboxes/drivers/docker/engine';
import { LeftBridges } from '../../../src/sandboxes/drivers/docker/left-bridges';
import { bridgeOf, bridgePrefix, LABELS } from '../../../src/sandboxes/drivers/docker/names';
import { Units } from '../../../src/sandboxes/drivers/docker/units';
import { WarmUnits } from '../../../src/sandboxes/drivers/docker/warm-units';
import type { SandboxHandle } from '../../../src/sandboxes/record/sandbox-driver';
import { type DockerFixture, openDocker } from '../../conformance/docker-fixture';
import { connectScript, REACHED } from '../../support/containers/connect-script';
import { describeWithEngine } from '../../support/containers/container-engine';
import { openForwarding, PublicHost } from '../../support/containers/public-host';
import { eventually } from '../../support/eventually';

const run = promisify(execFile);

describeWithEngine('the driver of containers', () => {
  const installationId = randomUUID();
  const table = `containers_${digestOf(installationId).slice(0, 16)}`;
  let fixture: DockerFixture;
  let folder: string;
  let service: Server;
  const drivers: DockerDriver[] = [];

  beforeAll(async () => {
    fixture = await openDocker();
    folder = await mkdtemp(join(tmpdir(), 'docker-driver-'));
    service = await listener();
  });
  afterAll(async () => {
    for (const driver of drivers) await driver.close();
    service.close();
    await fixture.close();
    await rm(folder, { recursive: true, force: true });
  });

  const settingsWith = (env: Record<string, string> = {}): Settings =>
    readSettings({
      ...fixture.env,
      DATA_DIR: folder,
      CALLBACK_URL: `http://${fixture.host}:${(service.address() as AddressInfo).port}`,
      ...env,
    });
  const driverWith = (env: Record<string, string> = {}): DockerDriver => {
    const driver = new DockerDriver(settingsWith(env));
    drivers.push(driver);
    return driver;
  };
  const listener = async (): Promise<Server> => {
    const server = createServer();
    await new Promise<void>((listening) => server.listen(0, fixture.host, listening));
    return server;
  };
  const newSandbox = (): SandboxHandle => ({
    id: newId(),
    sessionKey: randomUUID(),
    port: null,
    orgId: null,
    installationId,
  });
  const docker = (...args: string[]): Promise<string> => fixture.engine.docker(...args);
  const inside = (id: string, script: string): Promise<string> =>
    docker('exec', `sandbox-${id}`, 'node', '-e', script);
  const volumeOf = (id: string): Promise<string> =>
    docker('inspect', '--format', '{{(index .Mounts 0).Name}}', `sandbox-${id}`);
  const left = async (): Promise<string[]> =>
    (
      await Promise.all([
        docker('ps', '--all', '--format', '{{.Names}}'),
        docker('volume', 'ls', '--format', '{{.Name}}'),
        docker('network', 'ls', '--filter', 'type=custom', '--format', '{{.Name}}'),
      ])
    ).flatMap((names) => names.split('\n').filter((name) => name !== ''));
  const deleteAll = async (driver: DockerDriver, sandboxes: readonly SandboxHandle[]): Promise<void> => {
    for (const sandbox of sandboxes) await driver.delete(sandbox);
  };

  /** Has a container made ahead. @returns its name */
  const makeAhead = async (driver: DockerDriver): Promise<string> => {
    await driver.ids(installationId);
    return eventually(async () => {
      const [name = ''] = (await docker('ps', '--filter', 'name=warm-', '--format', '{{.Names}}')).split(
        '\n',
      );
      const address = '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}';
      const host = await docker('inspect', '--format', address, name);
      expect((await fetch(`http://${host}:8000/ready`)).status).toBe(200);
      return name;
    });
  };

  /** Removes those that were made ahead meanwhile. */
  const makeNoMore = async (): Promise<void> => {
    for (const driver of drivers.splice(0)) await driver.close();
    const none = driverWith({ SANDBOX_WARM: '0' });
    await eventually(async () => {
      await none.ids(installationId);
      expect(await left()).toEqual([]);
    });
  };

  it('gives a container that was made ahead to one of several that start at once', async () => {
    const one = driverWith({ SANDBOX_WARM: '1' });
    const ahead = await makeAhead(one);
    const replicas = [one, ...Array.from({ length: 3 }, () => driverWith({ SANDBOX_WARM: '1' }))];
    const started = await Promise.all(
      replicas.map(async (driver) => {
        const sandbox = newSandbox();
        await driver.start(sandbox);
        return sandbox;
      }),
    );
    const volumes = await Promise.all(started.map(({ id }) => volumeOf(id)));
    expect(new Set(volumes).size).toBe(replicas.length);
    expect(volumes.filter((volume) => volume === ahead)).toHaveLength(1);
    await deleteAll(one, started);
    await makeNoMore();
  });

  it('goes on with a claim that was interrupted, and gives nobody else what was claimed', async () => {
    const driver = driverWith({ SANDBOX_WARM: '1' });
    const ahead = await makeAhead(driver);
    const [interrupted, other] = [newSandbox(), newSandbox()];
    const labels = {
      [LABELS.sandbox]: interrupted.id,
      [LABELS.installation]: installationId,
      [LABELS.store]: ahead,
    };
    const given = Object.entries(labels).flatMap(([label, value]) => ['--label', `${label}=${value}`]);
    await docker('volume', 'create', ...given, `${ahead}-claim`);
    await driver.start(other);
    expect(await volumeOf(other.id)).not.toBe(ahead);
    expect(await driver.ids(installationId)).toEqual(expect.arrayContaining([interrupted.id, other.id]));
    await driver.start(interrupted);
    expect(await volumeOf(interrupted.id)).toBe(ahead);
    expect(await driver.describe(interrupted)).toBe('running');
    await deleteAll(driver, [interrupted, other]);
    await makeNoMore();
  });

  it('removes what a process left that was killed while it made a container ahead', async () => {
    const label = `${LABELS.warm}=${installationId}`;
    await docker('network', 'create', '--label', label, 'warm-left');
    await docker('volume', 'create', '--label', label, 'warm-left');
    const settings = settingsWith();
    const engine = new Engine(settings);
    await new WarmUnits(settings, engine, new Units(settings, engine), -1).replenish(installationId);
    expect(await left()).toEqual([]);
  });

  it('keeps no address for a container that ended, and no volume that its image made', async () => {
    const made = await docker('create', settingsWith().SANDBOX_IMAGE ?? '');
    await docker('commit', '--change', 'VOLUME /data', made, 'agent-server:volume');
    await docker('rm', made);
    const driver = driverWith({ SANDBOX_IMAGE: 'agent-server:volume' });
    const sandbox = newSandbox();
    await driver.start(sandbox);
    await docker('kill', `sandbox-${sandbox.id}`);
    expect(await driver.explain(sandbox)).toBe('Its container was killed (exit code 137).');
    expect(await docker('network', 'ls', '--filter', 'type=custom', '--quiet')).toBe('');
    await driver.resume(sandbox);
    expect(await driver.describe(sandbox)).toBe('running');
    await driver.delete(sandbox);
    expect(await left()).toEqual([]);
  });

  it('says with what exit code a container ended, and what it wrote last', async () => {
    const made = await docker('create', settingsWith().SANDBOX_IMAGE ?? '');
    const entrypoint = 'ENTRYPOINT ["/bin/sh", "-c", "echo cannot go on; exit 3"]';
    await docker('commit', '--change', entrypoint, made, 'agent-server:failing');
    await docker('rm', made);
    const driver = driverWith({ SANDBOX_IMAGE: 'agent-server:failing' });
    const sandbox = newSandbox();
    // It may end before anybody asks where it is.
    await driver.start(sandbox).catch(() => undefined);
    await eventually(async () => expect(await driver.describe(sandbox)).toBe('stopped'));
    expect(await driver.explain(sandbox)).toBe('Its container ended with exit code 3; its log may say why.');
    expect(await driver.logs(sandbox, { lines: 10, bytes: 1_000 })).toEqual(['cannot go on']);
    await driver.delete(sandbox);
  });

  it('confines containers again after somebody emptied the rules of the host', async () => {
    const driver = driverWith();
    const sandbox = newSandbox();
    const bystander = await listener();
    try {
      await driver.start(sandbox);
      const { port } = bystander.address() as AddressInfo;
      const script = connectScript(fixture.host, port);
      expect(await inside(sandbox.id, script)).not.toBe(REACHED);
      await run('nft', ['delete', 'table', 'inet', table]);
      expect(await inside(sandbox.id, script)).toBe(REACHED);
      await driver.ids(installationId);
      expect(await inside(sandbox.id, script)).not.toBe(REACHED);
    } finally {
      bystander.close();
      await driver.delete(sandbox);
    }
  });

  it('lets a container have 2,048 connections at a time', async () => {
    const driver = driverWith();
    const sandbox = newSandbox();
    await driver.start(sandbox);
    const { port } = service.address() as AddressInfo;
    const script = `let open=0,failed=0;const next=()=>{if(open+failed===2052){console.log(open);process.exit()}
      require("net").connect(${port},"${fixture.host}",()=>{open++;next()}).on("error",()=>{failed++;next()})};next()`;
    const opened = Number(await inside(sandbox.id, script));
    // Some that ended are counted for a moment.
    expect(opened).toBeGreaterThan(2_000);
    expect(opened).toBeLessThanOrEqual(2_048);
    await driver.delete(sandbox);
  });

  it('lets a container reach public addresses, unless SANDBOX_INTERNET is off', async () => {
    const host = await PublicHost.start(`pub${process.pid}`);
    const { hostname, port } = new URL(host.url);
    try {
      for (const [SANDBOX_INTERNET, found] of [
        ['on', REACHED],
        ['off', 'EHOSTUNREACH'],
      ] as const) {
        const driver = driverWith({ SANDBOX_INTERNET });
        const sandbox = newSandbox();
        await driver.start(sandbox);
        await openForwarding(bridgeOf(await volumeOf(sandbox.id), installationId));
        expect(await inside(sandbox.id, connectScript(hostname, port))).toBe(found);
        await driver.delete(sandbox);
      }
    } finally {
      await host.stop();
    }
  });

  it('removes a bridge that no network has, and no other', async () => {
    const driver = driverWith();
    const sandbox = newSandbox();
    await driver.start(sandbox);
    const abandoned = `${bridgePrefix(installationId)}abandon`;
    await run('ip', ['link', 'add', abandoned, 'type', 'bridge']);
    const cleaner = new LeftBridges(new Engine(settingsWith()), -1);
    await cleaner.remove(installationId);
    const bridges = await readdir('/sys/class/net');
    expect(bridges).not.toContain(abandoned);
    expect(bridges).toContain(bridgeOf(await volumeOf(sandbox.id), installationId));
    await driver.delete(sandbox);
  });

  it('cleans up whatever others call theirs', async () => {
    const driver = driverWith();
    const labels = [
      '--label',
      `${LABELS.installation}=${installationId}`,
      '--label',
      `${LABELS.sandbox}=../etc`,
    ];
    await docker('volume', 'create', ...labels, 'strange');
    expect(await driver.ids(installationId)).toEqual([]);
    await docker('volume', 'rm', 'strange');
  });

  it('takes its rules away with the last container', async () => {
    const firewall = new BridgeFirewall(settingsWith(), new Engine(settingsWith()));
    await firewall.keep(installationId);
    expect(await tables()).toContain(table);
    const driver = driverWith();
    await driver.ids(installationId);
    await driver.close();
    expect(await tables()).not.toContain(table);
  });

  async function tables(): Promise<string[]> {
    const { stdout } = await run('nft', ['list', 'tables']);
    return stdout.split('\n').map((line) => line.split(' ').at(-1) ?? '');
  }
});
