import { execFile } from 'node:child_process';
import { chmod, cp, lstat, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { usableBinaries } from '../../../src/appliance/embedded-postgres/binaries';

const run = promisify(execFile);
const asRoot = process.getuid?.() === 0 ? it : it.skip;
const NOBODY = { uid: 65534, gid: 65534 };

describe('the programs of PostgreSQL', () => {
  let folder: string;
  let home: string;
  let link: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'binaries-'));
    await chmod(folder, 0o755);
    home = join(folder, 'package');
    const name = `@embedded-postgres/${process.platform}-${process.arch}`;
    await cp(dirname(dirname(require.resolve(name))), home, { recursive: true, verbatimSymlinks: true });
    const list = JSON.parse(await readFile(join(home, 'native', 'pg-symlinks.json'), 'utf8')) as {
      target: string;
    }[];
    for (const { target } of list) await rm(join(home, target), { force: true });
    link = join(home, list[0]!.target);
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('run although the install script that makes their library links was off', async () => {
    const binaries = await usableBinaries(home, null, join(folder, 'copies'));
    expect(binaries.postgres.startsWith(home)).toBe(true);
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect((await run(binaries.postgres, ['--version'])).stdout).toContain('PostgreSQL');
  });

  asRoot('are copied once to where an unprivileged user reaches them', async () => {
    await chmod(home, 0o700);
    const copies = join(folder, 'copies');
    const first = await usableBinaries(home, NOBODY, copies);
    expect(first.initdb.startsWith(copies)).toBe(true);
    const made = (await lstat(first.initdb)).ctimeMs;
    expect((await run(first.initdb, ['--version'], NOBODY)).stdout).toContain('PostgreSQL');
    const second = await usableBinaries(home, NOBODY, copies);
    expect((await lstat(second.initdb)).ctimeMs).toBe(made);
  });

  asRoot('name the folder that the user cannot enter when no place is reachable', async () => {
    await chmod(home, 0o700);
    const closed = join(folder, 'closed');
    await mkdir(closed, { mode: 0o700 });
    await expect(usableBinaries(home, NOBODY, join(closed, 'copies'))).rejects.toThrow(
      `who cannot enter ${closed}.`,
    );
  });
});
