import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { readSettings } from '../../../src/kernel/config';
import { DiskShares } from '../../../src/drivers/docker/containers/disk-shares';
import { Engine } from '../../../src/drivers/docker/engine';
import { Volumes } from '../../../src/drivers/docker/containers/volumes';

const MEBIBYTE = 1024 * 1024;
const SHARE = 10;

describe('the disk of containers', () => {
  let server: Server;
  let engine: Engine;
  let mebibytes: number | null = 0;
  let isFailing = false;
  let asked = 0;
  let refusal: string | null = null;
  const made: unknown[] = [];
  /** Stands for what counts files, which volume-sizes.long.spec.ts tries. */
  const volumes = {
    all: async () => {
      asked += 1;
      await setImmediate();
      if (isFailing) throw new Error('There is no engine.');
      return new Map([['store', mebibytes === null ? null : mebibytes * MEBIBYTE]]);
    },
  };

  beforeAll(async () => {
    server = createServer((request, response) => {
      const answer = (status: number, body: unknown): void => {
        response.writeHead(status, { 'Content-Type': 'application/json' });
        response.end(JSON.stringify(body));
      };
      void json(request).then((options) => {
        made.push(options);
        const hasSize = JSON.stringify(options).includes('"size"');
        if (hasSize && refusal !== null) answer(400, { message: refusal });
        else answer(201, { Name: 'store' });
      });
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    engine = new Engine(
      readSettings({ DOCKER_HOST: `tcp://127.0.0.1:${(server.address() as AddressInfo).port}` }),
    );
  });
  afterAll(() => {
    server.close();
  });

  /** As it is measured next; null where it cannot be. */
  const takes = async (shares: DiskShares, size: number | null): Promise<string | null> => {
    mebibytes = size;
    return shares.explain('store');
  };

  it('is beyond its share, and may stay so for a while after a resume, but not grow with each', async () => {
    const shares = new DiskShares(volumes, SHARE);
    const long = new Date(Date.now() - 3_600_000);
    expect(await takes(shares, 9)).toBeNull();
    expect(shares.isBeyond('store', long)).toBe(false);
    expect(await takes(shares, 12)).toBe(
      'Its files take 12 MiB of disk, and its share is 10 MiB (SANDBOX_DISK_MEBIBYTES): it has ten minutes after a resume to delete some.',
    );
    expect(shares.isBeyond('store', long)).toBe(true);
    const [first, second] = [new Date(), new Date(Date.now() + 1)];
    expect(shares.isBeyond('store', first)).toBe(false);
    await takes(shares, 12.5);
    expect(shares.isBeyond('store', first)).toBe(false);
    expect(shares.isBeyond('store', second)).toBe(false);
    await takes(shares, 13);
    expect(shares.isBeyond('store', second)).toBe(true);
  });

  it('has a sandbox that takes more than twice its share not started again', async () => {
    const shares = new DiskShares(volumes, SHARE);
    await takes(shares, 20);
    shares.assertStartable('store');
    await takes(shares, 21);
    expect(() => shares.assertStartable('store')).toThrow(
      /^Its files take 21 MiB of disk, .*: beyond twice its share it is not started any more/,
    );
  });

  it('has a sandbox stopped, and not started again, whose files cannot be counted twice in a row', async () => {
    const shares = new DiskShares(volumes, SHARE);
    const long = new Date(Date.now() - 3_600_000);
    await takes(shares, 9);
    // A busy host is reason enough for once.
    expect(await takes(shares, null)).toBeNull();
    expect(shares.isBeyond('store', long)).toBe(false);
    expect(await takes(shares, null)).toMatch(/^Its files are so many that they cannot be counted/);
    expect(shares.isBeyond('store', long)).toBe(true);
    expect(() => shares.assertStartable('store')).toThrow('Its files are so many');
    expect(await takes(shares, 9)).toBeNull();
    shares.assertStartable('store');
  });

  it('counts files that were deleted and are still open, and says so when they are gone with their programs', async () => {
    let open = 5 * MEBIBYTE;
    const shares = new DiskShares(volumes, SHARE, () => Promise.resolve(new Map([['store', open]])));
    const long = new Date(Date.now() - 3_600_000);
    shares.isBeyond('store', long);
    await takes(shares, 4);
    expect(shares.isBeyond('store', long)).toBe(false);
    await takes(shares, 6);
    expect(shares.isBeyond('store', long)).toBe(true);
    open = 0;
    expect(await takes(shares, 6)).toMatch(/^Its files take 11 MiB/);
    shares.assertStartable('store');
    expect(shares.isBeyond('store', new Date())).toBe(false);
    expect(await takes(shares, 6)).toBeNull();
  });

  it('is not asked for again at once where the engine cannot say it', async () => {
    const shares = new DiskShares(volumes, SHARE);
    isFailing = true;
    asked = 0;
    expect(await shares.explain('store')).toBeNull();
    for (let n = 0; n < 5; n++) expect(shares.isBeyond('store', new Date())).toBe(false);
    expect(asked).toBe(1);
    isFailing = false;
  });

  it('has a quota where the engine has quotas', async () => {
    const unit = { name: '', store: 'store', installationId: '', labels: {}, keys: '', environment: {} };
    const volumes = new Volumes(engine, SHARE);
    await volumes.create(unit);
    expect(made.splice(0)).toEqual([{ Name: 'store', Labels: {}, DriverOpts: { size: '10m' } }]);
    refusal = 'quota size requested but no quota support';
    await volumes.create(unit);
    await volumes.create(unit);
    expect(made).toEqual([
      { Name: 'store', Labels: {}, DriverOpts: { size: '10m' } },
      { Name: 'store', Labels: {}, DriverOpts: {} },
      { Name: 'store', Labels: {}, DriverOpts: {} },
    ]);
  });
});
