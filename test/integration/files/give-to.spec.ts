import { execFile } from 'node:child_process';
import { chmod, chown, link, lstat, mkdir, mkdtemp, readdir, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { giveTo } from '../../../src/drivers/sandbox-users';
import { SwappingProcess } from '../../support/swapping-process';

const run = promisify(execFile);
const asRoot = process.getuid?.() === 0 ? describe : describe.skip;
const USER = 61_998;
const ROUNDS = 100;
const FILES = Array.from({ length: 20 }, (_, index) => `file-${index}`);

asRoot('giving the folder of a sandbox to another user', () => {
  let base: string;
  let tree: string;
  let victim: string;

  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'give-'));
    await chmod(base, 0o711);
    [tree, victim] = [join(base, 'tree'), join(base, 'victim')];
    for (const folder of [tree, victim]) {
      await mkdir(folder);
      for (const name of FILES) await writeFile(join(folder, name), '');
    }
  });
  afterEach(() => run('rm', ['-rf', base]));

  async function ownersIn(folder: string): Promise<number[]> {
    const names = await readdir(folder);
    const owners = await Promise.all(names.map(async (name) => (await lstat(join(folder, name))).uid));
    return [...new Set([(await lstat(folder)).uid, ...owners])];
  }

  it('gives nothing else while its user swaps folders for links', async () => {
    await mkdir(join(tree, 'folder'));
    for (const name of FILES) await writeFile(join(tree, 'folder', name), '');
    for (const folder of [join(tree, 'folder'), tree]) await chown(folder, USER, USER);
    const attacker = await SwappingProcess.start(USER, tree, victim);
    try {
      for (let round = 0; round < ROUNDS; round++) await giveTo(USER, tree);
    } finally {
      await attacker.stop();
    }
    expect(await ownersIn(victim)).toEqual([0]);
  });

  it('gives folders and files with any names, and no links, pipes, sockets and files with another name', async () => {
    await mkdir(join(tree, 'inner'));
    await writeFile(Buffer.concat([Buffer.from(`${tree}/inner/`), Buffer.from([0xff])]), '');
    await giveTo(USER, tree);
    expect(await ownersIn(tree)).toEqual([USER]);
    const [byte] = await readdir(join(tree, 'inner'), { encoding: 'buffer' });
    expect((await lstat(Buffer.concat([Buffer.from(`${tree}/inner/`), byte!]))).uid).toBe(USER);
    await symlink(join(victim, 'file-0'), join(tree, 'a link'));
    await symlink(victim, join(tree, 'a link to a folder'));
    await link(join(victim, 'file-1'), join(tree, 'another name'));
    await run('mkfifo', [join(tree, 'a pipe')]);
    await giveTo(USER, tree);
    expect(await ownersIn(victim)).toEqual([0]);
    for (const name of ['a link', 'a link to a folder', 'another name', 'a pipe'])
      expect([name, (await lstat(join(tree, name))).uid]).toEqual([name, 0]);
  });

  it('says where folders are nested too deep', async () => {
    const script = 'for i in $(seq 300); do mkdir f && cd f || exit 1; done';
    await run('bash', ['-c', script], { cwd: tree });
    await expect(giveTo(USER, tree)).rejects.toThrow('nested too deep');
  });
});
