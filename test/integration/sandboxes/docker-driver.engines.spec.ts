import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import { digestOf } from '../../../src/kernel/common';
import { BridgeFirewall } from '../../../src/drivers/docker/network/bridge-firewall';
import { VolumeSizes } from '../../../src/drivers/docker/containers/volume-sizes';
import { Engine } from '../../../src/drivers/docker/engine';
import { OrphanedBridges } from '../../../src/drivers/docker/network/orphaned-bridges';
import { bridgeOf, bridgePrefix, LABELS } from '../../../src/drivers/docker/names';
import { SandboxContainers } from '../../../src/drivers/docker/sandbox-containers';
import { WarmContainers } from '../../../src/drivers/docker/warm-containers';
import { connectScript, REACHED } from '../../support/containers/connect-script';
import { describeWithEngine } from '../../support/containers/container-engine';
import { DriversOnEngine, listenerAt, portOf } from '../../support/containers/drivers-on-engine';
import { openForwarding, PublicHost } from '../../support/containers/public-host';
import { TlsProxy } from '../../support/containers/tls-proxy';
import { eventually } from '../../support/eventually';

const run = promisify(execFile);

describeWithEngine('the driver of containers', () => {
  let on: DriversOnEngine;

  beforeAll(async () => {
    on = await DriversOnEngine.open();
  });
  afterAll(() => on.close());

  it('gives a container that was pre-warmed to one of several that start at once', async () => {
    const one = on.driver({ SANDBOX_WARM: '1' });
    const ahead = await on.makeAhead(one);
    const replicas = [one, ...Array.from({ length: 3 }, () => on.driver({ SANDBOX_WARM: '1' }))];
    const started = await Promise.all(
      replicas.map(async (driver) => {
        const sandbox = on.newSandbox();
        await driver.start(sandbox);
        return sandbox;
      }),
    );
    const volumes = await Promise.all(started.map(({ id }) => on.volumeOf(id)));
    expect(new Set(volumes).size).toBe(replicas.length);
    expect(volumes.filter((volume) => volume === ahead)).toHaveLength(1);
    for (const sandbox of started) await one.delete(sandbox);
    await on.makeNoMore();
  });

  it('goes on with a claim that was interrupted, and gives nobody else what was claimed', async () => {
    const driver = on.driver({ SANDBOX_WARM: '1' });
    const ahead = await on.makeAhead(driver);
    const [interrupted, other] = [on.newSandbox(), on.newSandbox()];
    const labels = {
      [LABELS.sandbox]: interrupted.id,
      [LABELS.installation]: on.installationId,
      [LABELS.store]: ahead,
    };
    const given = Object.entries(labels).flatMap(([label, value]) => ['--label', `${label}=${value}`]);
    await on.docker('volume', 'create', ...given, `${ahead}-claim`);
    await driver.start(other);
    expect(await on.volumeOf(other.id)).not.toBe(ahead);
    expect(await driver.ids(on.installationId)).toEqual(expect.arrayContaining([interrupted.id, other.id]));
    await driver.start(interrupted);
    expect(await on.volumeOf(interrupted.id)).toBe(ahead);
    expect(await driver.describe(interrupted)).toBe('running');
    for (const sandbox of [interrupted, other]) await driver.delete(sandbox);
    await on.makeNoMore();
  });

  it('removes what a process left that was killed while it made a container ahead', async () => {
    const label = `${LABELS.warm}=${on.installationId}`;
    await on.docker('network', 'create', '--label', label, 'warm-left');
    await on.docker('volume', 'create', '--label', label, 'warm-left');
    const settings = on.settings();
    const engine = new Engine(settings);
    await new WarmContainers(settings, engine, new SandboxContainers(settings, engine), -1).replenish(
      on.installationId,
    );
    expect(await on.left()).toEqual([]);
  });

  it('keeps no address for a container that ended, and no volume that its image made', async () => {
    const SANDBOX_IMAGE = await on.deriveImage('agent-server:volume', 'VOLUME /data');
    const driver = on.driver({ SANDBOX_IMAGE });
    const sandbox = on.newSandbox();
    await driver.start(sandbox);
    await on.docker('kill', `sandbox-${sandbox.id}`);
    expect(await driver.explain(sandbox)).toBe('Its container was killed (exit code 137).');
    expect(await on.docker('network', 'ls', '--filter', 'type=custom', '--quiet')).toBe('');
    await driver.resume(sandbox);
    expect(await driver.describe(sandbox)).toBe('running');
    // What measures disk may be made and then not be started.
    const settings = on.settings({ SANDBOX_IMAGE });
    const engine = new Engine(settings);
    const use = engine.use.bind(engine);
    jest
      .spyOn(engine, 'use')
      .mockImplementationOnce(use)
      .mockImplementationOnce(use)
      .mockRejectedValueOnce(new Error('cut off'));
    await expect(new VolumeSizes(engine, settings).all()).rejects.toThrow('cut off');
    await driver.delete(sandbox);
    // What the driver measures disk with has a volume of that image, too, while it counts.
    await eventually(async () => expect(await on.left()).toEqual([]));
  });

  it('says with what exit code a container ended, and what it wrote last', async () => {
    const entrypoint = 'ENTRYPOINT ["/bin/sh", "-c", "echo cannot go on; exit 3"]';
    const SANDBOX_IMAGE = await on.deriveImage('agent-server:failing', entrypoint);
    const driver = on.driver({ SANDBOX_IMAGE });
    const sandbox = on.newSandbox();
    // It may end before anybody asks where it is.
    await driver.start(sandbox).catch(() => undefined);
    await eventually(async () => expect(await driver.describe(sandbox)).toBe('stopped'));
    expect(await driver.explain(sandbox)).toBe('Its container ended with exit code 3; its log may say why.');
    expect(await driver.logs(sandbox, { lines: 10, bytes: 1_000 })).toEqual(['cannot go on']);
    await driver.delete(sandbox);
  });

  it('reaches an engine by TLS, and containers at ports of its host, which are others after a resume', async () => {
    const proxy = await TlsProxy.start(on.fixture.engine.address.replace('unix://', ''));
    try {
      const DOCKER_HOST = `tcp://127.0.0.1:${proxy.port}`;
      const env = { DOCKER_HOST, DOCKER_CERT_PATH: proxy.folder, SANDBOX_ISOLATION: 'none' };
      const driver = on.driver(env);
      const sandbox = on.newSandbox();
      for (const start of [() => driver.start(sandbox), () => driver.resume(sandbox)]) {
        const { baseUrl } = await start();
        expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
        await eventually(async () => expect((await fetch(`${baseUrl}/ready`)).status).toBe(200));
      }
      await driver.delete(sandbox);
    } finally {
      await proxy.stop();
    }
  });

  it('gives a container a user of its own without rights, and nothing to write to but its volume and /tmp', async () => {
    const driver = on.driver();
    const sandboxes = [on.newSandbox(), on.newSandbox()];
    const users = new Set<string>();
    for (const sandbox of sandboxes) {
      await driver.start(sandbox);
      const status = await on.inside(sandbox.id, READ_STATUS);
      expect(status).toMatch(/^NoNewPrivs:\s1$/m);
      expect(status).toMatch(/^Seccomp:\s2$/m);
      for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'])
        expect(status).toMatch(new RegExp(`^${set}:\\s0+$`, 'm'));
      const [user] = /^Uid:\s\d+/m.exec(status) ?? [''];
      users.add(user);
      const written = await on.inside(
        sandbox.id,
        writesTo(['/', '/etc', '/usr/local/bin', '/workspace', '/proc']),
      );
      expect(JSON.parse(written)).toEqual([]);
      const own = ['/workspace/project', '/workspace/.home', '/tmp'];
      expect(JSON.parse(await on.inside(sandbox.id, writesTo(own)))).toEqual(own);
    }
    expect(users.size).toBe(2);
    expect([...users].join()).not.toMatch(/Uid:\s(0|1000)\b/);
    for (const sandbox of sandboxes) await driver.delete(sandbox);
  });

  it('lets a container have the processors and processes of the settings, and no more', async () => {
    const driver = on.driver({ SANDBOX_CPUS: '0.2', SANDBOX_PROCESSES: '100' });
    const sandbox = on.newSandbox();
    await driver.start(sandbox);
    const busy = 'const end=Date.now()+3000;while(Date.now()<end);console.log(process.cpuUsage().user/3e6)';
    expect(Number(await on.inside(sandbox.id, busy))).toBeLessThan(0.4);
    const fork = `let started=0,failed=0;const next=()=>{if(started+failed===150){console.log(started);process.exit()}};
      for(let n=0;n<150;n++)require("child_process").spawn("sleep",["60"]).on("spawn",()=>{started++;next()}).on("error",()=>{failed++;next()})`;
    const started = Number(await on.inside(sandbox.id, fork));
    // Those of the agent server and of this program count too.
    expect(started).toBeGreaterThan(40);
    expect(started).toBeLessThan(100);
    await driver.delete(sandbox);
  });

  it('confines containers again after somebody emptied the rules of the host', async () => {
    const driver = on.driver();
    const sandbox = on.newSandbox();
    const bystander = await listenerAt(on.fixture.host);
    try {
      await driver.start(sandbox);
      const script = connectScript(on.fixture.host, portOf(bystander));
      expect(await on.inside(sandbox.id, script)).not.toBe(REACHED);
      await run('nft', ['delete', 'table', 'inet', tableOf(on.installationId)]);
      expect(await on.inside(sandbox.id, script)).toBe(REACHED);
      await driver.ids(on.installationId);
      expect(await on.inside(sandbox.id, script)).not.toBe(REACHED);
    } finally {
      bystander.close();
      await driver.delete(sandbox);
    }
  });

  it('lets a container have 2,048 connections at a time', async () => {
    const driver = on.driver();
    const sandbox = on.newSandbox();
    await driver.start(sandbox);
    const script = `let open=0,failed=0;const next=()=>{if(open+failed===2052){console.log(open);process.exit()}
      require("net").connect(${on.servicePort},"${on.fixture.host}",()=>{open++;next()}).on("error",()=>{failed++;next()})};next()`;
    const opened = Number(await on.inside(sandbox.id, script));
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
        const driver = on.driver({ SANDBOX_INTERNET });
        const sandbox = on.newSandbox();
        await driver.start(sandbox);
        await openForwarding(bridgeOf(await on.volumeOf(sandbox.id), on.installationId));
        expect(await on.inside(sandbox.id, connectScript(hostname, port))).toBe(found);
        await driver.delete(sandbox);
      }
    } finally {
      await host.stop();
    }
  });

  it('removes a bridge that no network has, and no other', async () => {
    const driver = on.driver();
    const sandbox = on.newSandbox();
    await driver.start(sandbox);
    const abandoned = `${bridgePrefix(on.installationId)}abandon`;
    await run('ip', ['link', 'add', abandoned, 'type', 'bridge']);
    const cleaner = new OrphanedBridges(new Engine(on.settings()), -1);
    await cleaner.remove(on.installationId);
    const bridges = await readdir('/sys/class/net');
    expect(bridges).not.toContain(abandoned);
    expect(bridges).toContain(bridgeOf(await on.volumeOf(sandbox.id), on.installationId));
    await driver.delete(sandbox);
  });

  it('cleans up whatever others call theirs', async () => {
    const driver = on.driver();
    const labels = [
      '--label',
      `${LABELS.installation}=${on.installationId}`,
      '--label',
      `${LABELS.sandbox}=../etc`,
    ];
    await on.docker('volume', 'create', ...labels, 'strange');
    expect(await driver.ids(on.installationId)).toEqual([]);
    await on.docker('volume', 'rm', 'strange');
  });

  it('takes its rules away with the last container', async () => {
    const firewall = new BridgeFirewall(on.settings(), new Engine(on.settings()));
    await firewall.keep(on.installationId);
    expect(await tables()).toContain(tableOf(on.installationId));
    const driver = on.driver();
    await driver.ids(on.installationId);
    await driver.close();
    expect(await tables()).not.toContain(tableOf(on.installationId));
  });
});

const READ_STATUS = 'console.log(require("fs").readFileSync("/proc/1/status","utf8"))';

/** A program that prints in which of some folders it can make a file. */
function writesTo(folders: readonly string[]): string {
  const can = '(f)=>{try{fs.writeFileSync(f+"/made","");return true}catch{return false}}';
  return `const fs=require("fs");console.log(JSON.stringify(${JSON.stringify(folders)}.filter(${can})))`;
}

async function tables(): Promise<string[]> {
  const { stdout } = await run('nft', ['list', 'tables']);
  return stdout.split('\n').map((line) => line.split(' ').at(-1) ?? '');
}

function tableOf(installationId: string): string {
  return `containers_${digestOf(installationId).slice(0, 16)}`;
}
