import { execFile } from 'node:child_process';
import { chmod, chown, lstat, mkdir, mkdtemp, readdir, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { removeTree } from '../../../src/kernel/common';
import { SwappingProcess } from '../../support/swapping-process';

const run = promisify(execFile);
const asRoot = process.getuid?.() === 0 ? it : it.skip;
const USER = 61_999;
const ROUNDS = 100;
const FILES = Array.from({ length: 20 }, (_, index) => `file-${index}`);

describe('removing a folder', () => {
  let base: string;
  let tree: string;
  let victim: string;

  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'remove-'));
    await chmod(base, 0o711);
    [tree, victim] = [join(base, 'tree'), join(base, 'victim')];
    await mkdir(victim);
    for (const name of FILES) await writeFile(join(victim, name), 'of the host');
  });
  // Whatever is left, with whatever names.
  afterEach(() => run('rm', ['-rf', base]));

  asRoot('removes nothing else while its user swaps folders for links', async () => {
    const attacker = await SwappingProcess.start(USER, tree, victim);
    try {
      for (let round = 0; round < ROUNDS; round++) {
        await mkdir(join(tree, 'folder'), { recursive: true });
        for (const name of FILES) await writeFile(join(tree, 'folder', name), 'own');
        for (const folder of [join(tree, 'folder'), tree]) await chown(folder, USER, USER);
        await removeTree(tree);
        expect(await readdir(victim)).toHaveLength(FILES.length);
        expect((await readdir(base)).sort()).toEqual(['victim']);
      }
    } finally {
      await attacker.stop();
    }
  });

  it('removes one that is nested deeper than a path can be', async () => {
    await mkdir(tree);
    const script =
      'for i in $(seq 600); do mkdir folder-0123456789 && cd folder-0123456789 || exit 1; done; touch end';
    await run('bash', ['-c', script], { cwd: tree });
    await removeTree(tree);
    expect(await readdir(base)).toEqual(['victim']);
  });

  it('removes what has names that are not UTF-8, closed folders and links, which it does not follow', async () => {
    await mkdir(join(tree, 'closed', 'inner'), { recursive: true });
    await writeFile(Buffer.concat([Buffer.from(`${tree}/name-`), Buffer.from([0xff, 0xfe])]), '');
    await symlink(victim, join(tree, 'closed', 'link'));
    await chmod(join(tree, 'closed', 'inner'), 0);
    await chmod(join(tree, 'closed'), 0);
    await removeTree(tree);
    expect(await readdir(base)).toEqual(['victim']);
    expect(await readdir(victim)).toHaveLength(FILES.length);
  });

  it('removes a file or a link, goes on where it was interrupted, and takes nothing for removed', async () => {
    await symlink(victim, tree);
    await removeTree(tree);
    await expect(lstat(tree)).rejects.toThrow('ENOENT');
    await mkdir(`${tree}.removed/left/inner`, { recursive: true });
    await removeTree(tree);
    expect(await readdir(base)).toEqual(['victim']);
    await removeTree(tree);
    await removeTree(join(base, 'no', 'such', 'folder'));
    expect(await readdir(victim)).toHaveLength(FILES.length);
  });
});
