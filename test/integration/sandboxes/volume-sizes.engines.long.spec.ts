import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { VolumeSizes } from '../../../src/drivers/docker/containers/volume-sizes';
import { Engine } from '../../../src/drivers/docker/engine';
import { describeWithEngine } from '../../support/containers/container-engine';
import { DriversOnEngine } from '../../support/containers/drivers-on-engine';

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;
const run = promisify(execFile);

describeWithEngine('the disk that volumes of containers take', () => {
  let on: DriversOnEngine;
  let sizes: VolumeSizes;

  beforeAll(async () => {
    on = await DriversOnEngine.open();
    const settings = on.settings();
    sizes = new VolumeSizes(new Engine(settings), settings);
  });
  afterAll(() => on.close());

  /** What a sandbox takes after a program has run in it and it was paused, so that nothing is written any more. */
  async function takenBy(script: string): Promise<number> {
    const driver = on.driver();
    const sandbox = on.newSandbox();
    await driver.start(sandbox);
    await on.inside(sandbox.id, `const fs=require("fs");process.chdir("/workspace/project");${script}`);
    await driver.pause(sandbox);
    const volume = await on.volumeOf(sandbox.id);
    const size = (await sizes.all()).get(volume);
    const folder = await on.docker('volume', 'inspect', '--format', '{{.Mountpoint}}', volume);
    const [counted] = (await run('du', ['-skx', folder])).stdout.split('\t');
    expect(size).toBe(Number(counted) * KIBIBYTE);
    await driver.delete(sandbox);
    return size ?? 0;
  }

  it('is that of their blocks: holes take none, small files whole ones, and names of the same file none more', async () => {
    const none = await takenBy('');
    expect(await takenBy('fs.truncateSync(fs.openSync("holes","w"),2**40)')).toBeLessThan(none + MEBIBYTE);
    const small = await takenBy('for(let n=0;n<2000;n++)fs.writeFileSync("f"+n,"x")');
    expect(small - none).toBeGreaterThan(7 * MEBIBYTE);
    const links = 'fs.writeFileSync("f",Buffer.alloc(4*2**20));for(let n=0;n<9;n++)fs.linkSync("f","l"+n)';
    expect((await takenBy(links)) - none).toBeLessThan(5 * MEBIBYTE);
  });

  it('counts files below paths that no call of the system takes, and those that only their user can read', async () => {
    const deep = 'for(let n=0;n<25;n++){const d="d".repeat(200);fs.mkdirSync(d,0o700);process.chdir(d)}';
    expect(await takenBy(`${deep};fs.writeFileSync("f",Buffer.alloc(8*2**20),{mode:0o600})`)).toBeGreaterThan(
      8 * MEBIBYTE,
    );
  });

  it('keeps nobody from removing a volume, and leaves no container', async () => {
    const driver = on.driver();
    const sandbox = on.newSandbox();
    await driver.start(sandbox);
    const counted = sizes.all();
    await driver.delete(sandbox);
    await counted;
    expect(await on.left()).toEqual([]);
    expect(await on.docker('ps', '--all', '--quiet')).toBe('');
  });

  it('is an error where the image has nothing to count with', async () => {
    const driver = on.driver();
    const sandbox = on.newSandbox();
    await driver.start(sandbox);
    const settings = on.settings({
      SANDBOX_IMAGE: await on.deriveImage('agent-server:without', 'ENV PATH=/nowhere'),
    });
    const without = new VolumeSizes(new Engine(settings), settings);
    await expect(without.all()).rejects.toThrow('has to have the programs sh, du and timeout');
    await driver.delete(sandbox);
  });
});
