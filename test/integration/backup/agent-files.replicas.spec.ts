import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmod,
  chown,
  link,
  mkdir,
  readdir,
  readFile,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BackedUpDatabase, organizationsIn } from '../../support/backup/backed-up-database';
import type { TestDatabase } from '../../support/database/postgres';
import { startTcpProxy } from '../../support/service/tcp-proxy';
import { CliProcess, runHere, type CommandEnd } from '../../support/backup/cli-process';

const run = promisify(execFile);
const isRoot = process.getuid?.() === 0;

/** Nobody in particular: permissions do not hold for root. */
const NOBODY = '65534';
const AS_NOBODY = isRoot ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : [];

const MEBIBYTE = 1024 ** 2;
const GIBIBYTE = 1024 ** 3;

/** What has no place in a backup, with the reason of each. */
const LEFT_OUT = ['unreadable', 'closed', 'holes', '\xff'];

describe('what agents leave in their folders', () => {
  let backedUp: BackedUpDatabase;
  let tree: string;
  beforeAll(async () => {
    backedUp = await BackedUpDatabase.make(10);
    tree = join(backedUp.path('source'), 'sandboxes', 'process', 'of-an-agent');
    await mkdir(tree, { recursive: true });
    await makeTree();
    if (isRoot) await run('chown', ['-hR', `${NOBODY}:${NOBODY}`, backedUp.path('')]);
  });
  afterAll(async () => {
    // Node's own way does not reach paths that are too long for the system.
    await run('bash', ['-c', 'chmod -R u+rwX "$1" && rm -rf "$1"', 'bash', backedUp.path('')]);
    await backedUp.remove();
  });

  async function makeTree(): Promise<void> {
    const at = (...names: string[]): string => join(tree, ...names);
    await mkdir(at('cache', 'module'), { recursive: true });
    await writeFile(at('cache', 'module', 'source.go'), 'package module', { mode: 0o444 });
    await chmod(at('cache', 'module'), 0o555);
    await chmod(at('cache'), 0o555);
    for (const name of [' ', '-rf', 'a\nb', 'ä€😀', 'a\\b', '\ufffd', 'x'.repeat(255)])
      await writeFile(at(name), name);
    await mkdir(at('names'));
    await writeFile(at('names', 'one'), randomBytes(MEBIBYTE));
    for (let n = 0; n < 100; n++) await link(at('names', 'one'), at('names', `another ${n}`));
    await symlink('cache/module', at('to a folder'));
    await symlink('/etc/passwd', at('to a file of others'));
    await symlink('nowhere/'.repeat(60), at('to nowhere'));
    await writeFile(at('runs as its owner'), '');
    await chmod(at('runs as its owner'), 0o4755);
    await writeFile(at('unreadable'), 'text');
    await chmod(at('unreadable'), 0);
    await mkdir(at('closed'));
    await writeFile(at('closed', 'in it'), 'text');
    await chmod(at('closed'), 0);
    await writeFile(at('holes'), '');
    await truncate(at('holes'), 100 * GIBIBYTE);
    await writeFile(Buffer.concat([Buffer.from(`${tree}/`), Buffer.from([0xff])]), 'text');
    const nest =
      'n="$(printf "%250s" "" | tr " " d)"; for i in $(seq 20); do mkdir "$n"; cd "$n"; done; touch f';
    await run('bash', ['-ec', `cd "$1"; mkdir deep; cd deep; ${nest}`, 'bash', tree]);
  }

  /** Kind, permissions, target and path of all that is in a folder. */
  async function listOf(folder: string): Promise<string[]> {
    const { stdout } = await run('find', [folder, '-mindepth', '1', '-printf', '%y %m %l %P\\0'], {
      encoding: 'latin1',
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout.split('\0').slice(0, -1).sort();
  }

  /** By TCP, since not everyone may enter the folder of the server's socket. */
  async function asNobody(
    args: readonly string[],
    database: TestDatabase,
    dataDir: string,
  ): Promise<CommandEnd> {
    const proxy = await startTcpProxy(database.url);
    const env = { ...backedUp.env(database, dataDir), DATABASE_URL: proxy.url };
    try {
      return await CliProcess.start(args, env, AS_NOBODY).ended;
    } finally {
      await proxy.cut();
    }
  }

  it('comes back as it was, but for what cannot be read or kept, which the backup counts', async () => {
    const file = backedUp.path('by-nobody.age');
    const backup = await asNobody(['backup', '--to', file], backedUp.source, 'source');
    expect([backup.code, backup.errors]).toEqual([
      0,
      expect.stringMatching(
        /^The backup is without 5 files, folders or links of sandboxes .+ "sandboxes\/process\/of-an-agent\//,
      ),
    ]);
    // Of the deep folders the first one whose path is too long.
    expect(JSON.parse(backup.output)).toMatchObject({ left_out: LEFT_OUT.length + 1 });

    // A hundred and one names, and what the file has once.
    expect((await stat(file)).size).toBeLessThan(10 * MEBIBYTE);

    const target = await backedUp.emptyDatabase();
    const restore = await asNobody(['restore', '--from', file], target, 'restored');
    expect(restore).toMatchObject({ code: 0, errors: '' });
    expect(JSON.parse(restore.output)).toMatchObject({ left_out: 0 });
    expect(await organizationsIn(target)).toBe(10);

    const restored = join(backedUp.path('restored'), 'sandboxes', 'process', 'of-an-agent');
    const isKept = (line: string): boolean => {
      const path = line.split(' ').slice(3).join(' ');
      return !LEFT_OUT.includes(path.split('/')[0] ?? '') && path.length < 2_950;
    };
    const expected = (await listOf(tree)).filter(isKept).map((line) => line.replace(/^f 4755/, 'f 755'));
    expect(expected.length).toBeGreaterThan(25);
    expect((await listOf(restored)).filter(isKept)).toEqual(expected.sort());
    expect(await readFile(join(restored, 'ä€😀'), 'utf8')).toBe('ä€😀');
    expect((await stat(join(restored, 'names', 'another 7'))).nlink).toBe(101);
    expect(await readdir(backedUp.path('restored'))).not.toContain('restore.unfinished');
  });

  (isRoot ? it : it.skip)(
    'comes back with permissions of none, and owners of any number, where root restores it',
    async () => {
      await chown(join(tree, 'holes'), 1_879_048_192, 1_879_048_193);
      await truncate(join(tree, 'holes'), 10);
      const file = backedUp.path('by-root.age');
      await runHere(['backup', '--to', file], backedUp.env(backedUp.source, 'source'));
      const target = await backedUp.emptyDatabase();
      await runHere(['restore', '--from', file], backedUp.env(target, 'by-root'));
      const restored = join(backedUp.path('by-root'), 'sandboxes', 'process', 'of-an-agent');
      expect(await stat(join(restored, 'holes'))).toMatchObject({ uid: 1_879_048_192, gid: 1_879_048_193 });
      expect((await stat(join(restored, 'unreadable'))).mode & 0o7777).toBe(0);
      expect(await readFile(join(restored, 'closed', 'in it'), 'utf8')).toBe('text');
    },
  );
});
