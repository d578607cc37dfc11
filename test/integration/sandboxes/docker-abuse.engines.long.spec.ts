import { Engine } from '../../../src/drivers/docker/engine';
import { LABELS } from '../../../src/drivers/docker/names';
import { Networks } from '../../../src/drivers/docker/network/networks';
import { SandboxContainers } from '../../../src/drivers/docker/sandbox-containers';
import { WarmContainers } from '../../../src/drivers/docker/warm-containers';
import { connectScript } from '../../support/containers/connect-script';
import { describeWithEngine } from '../../support/containers/container-engine';
import { DriversOnEngine, listenerAt, portOf } from '../../support/containers/drivers-on-engine';
import { eventually } from '../../support/eventually';

describeWithEngine('the driver of containers, against agents and others who mean ill,', () => {
  let on: DriversOnEngine;

  beforeAll(async () => {
    on = await DriversOnEngine.open();
  });
  afterAll(() => on.close());

  it('has no agent server wait that is open to everybody', async () => {
    const driver = on.driver({ SANDBOX_WARM: '1' });
    const ahead = await on.makeAhead(driver);
    const file = await on.docker('exec', ahead, 'cat', '/workspace/.agent-server.json');
    expect(JSON.parse(file)).toEqual({
      session_api_keys: [expect.stringMatching(/^[\w-]{43}$/)],
      secret_key: expect.stringMatching(/^[\w-]{43}$/) as string,
    });
    await on.makeNoMore();
  });

  it('gives nobody an address that another one has just given back', async () => {
    const networks = new Networks(new Engine(on.settings()), '10.98.0.0/28');
    const spec = {
      name: 'one',
      store: 'one',
      installationId: on.installationId,
      labels: {},
      keys: '',
      environment: {},
    };
    const subnets: string[] = [];
    for (let n = 0; n < 8; n++) {
      await networks.create(spec);
      subnets.push(
        await on.docker('network', 'inspect', 'one', '--format', '{{(index .IPAM.Config 0).Subnet}}'),
      );
      await networks.remove('one');
    }
    expect(subnets.filter((subnet, n) => subnet === subnets[n - 1])).toEqual([]);
  });

  it('keeps a container from its host from the first thing that it does', async () => {
    const bystander = await listenerAt(on.fixture.host);
    const script = connectScript(on.fixture.host, portOf(bystander));
    const entrypoint = `ENTRYPOINT ${JSON.stringify(['/usr/local/bin/node', '-e', script])}`;
    const driver = on.driver({ SANDBOX_IMAGE: await on.deriveImage('agent-server:hasty', entrypoint) });
    const sandbox = on.newSandbox();
    try {
      await driver.start(sandbox).catch(() => undefined);
      await eventually(async () =>
        expect(await driver.logs(sandbox, { lines: 1, bytes: 1_000 })).toEqual(['EHOSTUNREACH']),
      );
    } finally {
      bystander.close();
      await driver.delete(sandbox);
    }
  });

  it('leaves alone what is no sandbox, whatever its labels say', async () => {
    const driver = on.driver();
    const sandbox = on.newSandbox();
    const labels = (all: Record<string, string>): string[] =>
      Object.entries(all).flatMap(([label, value]) => ['--label', `${label}=${value}`]);
    await on.docker('volume', 'create', 'database');
    await on.docker('volume', 'create', ...labels({ [LABELS.warm]: on.installationId }), 'cache');
    await on.docker('create', '--name', 'cache', on.settings().SANDBOX_IMAGE ?? '');
    const claim = {
      [LABELS.sandbox]: sandbox.id,
      [LABELS.installation]: on.installationId,
      [LABELS.store]: 'database',
    };
    await on.docker('volume', 'create', ...labels(claim), 'database-claim');
    const settings = on.settings();
    const engine = new Engine(settings);
    await new WarmContainers(settings, engine, new SandboxContainers(settings, engine), -1).replenish(
      on.installationId,
    );
    await driver.start(sandbox);
    expect(await on.volumeOf(sandbox.id)).toBe(`sandbox-${sandbox.id}`);
    await driver.delete(sandbox);
    expect(await on.left()).toEqual(expect.arrayContaining(['cache', 'database', 'database-claim']));
    await on.docker('rm', 'cache');
    await on.docker('volume', 'rm', 'cache', 'database', 'database-claim');
  });

  it('counts disk that a container takes without a name, and stops it', async () => {
    const driver = on.driver({ SANDBOX_DISK_MEBIBYTES: '8' });
    const sandbox = on.newSandbox();
    await driver.start(sandbox);
    await on.inside(
      sandbox.id,
      `const fs=require("fs");process.chdir("/workspace/project");const f=fs.openSync("x","w");fs.unlinkSync("x");
      require("child_process").spawn("/usr/bin/sleep",["600"],{detached:true,stdio:["ignore","ignore","ignore",f]}).unref();
      fs.writeSync(f,Buffer.alloc(16*1024*1024))`,
    );
    await eventually(async () => expect(await driver.describe(sandbox)).toBe('stopped'), 60_000);
    expect(await driver.explain(sandbox)).toMatch(/^Its files take 1[67] MiB of disk/);
    await driver.resume(sandbox);
    expect(await driver.describe(sandbox)).toBe('running');
    await driver.delete(sandbox);
  });

  it('counts what a container hides below a path that no call of the system takes', async () => {
    const driver = on.driver({ SANDBOX_DISK_MEBIBYTES: '8' });
    const sandbox = on.newSandbox();
    await driver.start(sandbox);
    await on.inside(
      sandbox.id,
      `const fs=require("fs");process.chdir("/workspace/project");
      for(let n=0;n<25;n++){const d="d".repeat(200);fs.mkdirSync(d);process.chdir(d)}
      fs.writeFileSync("f",Buffer.alloc(12*1024*1024))`,
    );
    await eventually(async () => expect(await driver.describe(sandbox)).toBe('stopped'), 60_000);
    expect(await driver.explain(sandbox)).toMatch(/^Its files take 1[234] MiB of disk/);
    await driver.delete(sandbox);
    expect(await on.left()).toEqual([]);
  });

  it('measures the workspace, also where the image has volumes of its own', async () => {
    const SANDBOX_IMAGE = await on.deriveImage('agent-server:volumes', 'VOLUME ["/a", "/b", "/c", "/d"]');
    const driver = on.driver({ SANDBOX_IMAGE, SANDBOX_DISK_MEBIBYTES: '8' });
    const sandbox = on.newSandbox();
    await driver.start(sandbox);
    await on.inside(
      sandbox.id,
      `require("fs").writeFileSync("/workspace/project/x",Buffer.alloc(16*1024*1024))`,
    );
    await eventually(async () => expect(await driver.describe(sandbox)).toBe('stopped'), 60_000);
    expect(await driver.explain(sandbox)).toMatch(/^Its files take 1[67] MiB of disk/);
    await driver.delete(sandbox);
  });

  it('keeps nothing of programs that crash', async () => {
    const driver = on.driver();
    const sandbox = on.newSandbox();
    await driver.start(sandbox);
    const limits = await on.inside(
      sandbox.id,
      'console.log(require("fs").readFileSync("/proc/self/limits","utf8"))',
    );
    expect(limits).toMatch(/^Max core file size +0 +0 /m);
    await driver.delete(sandbox);
  });
});
