import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasNftables } from '../agent-server/nftables';
import { WorkerFolder } from './worker-folder';

const onLinux = process.platform === 'linux' ? it : it.skip;
const NOT_LONG_MS = 100;

describe('what a test file leaves behind', () => {
  let folder: WorkerFolder;
  let parent: string;
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'run-'));
    folder = WorkerFolder.open(parent, '1');
  });
  afterEach(() => folder.clean());

  onLinux('is a process that somebody started who has ended, with an environment of its own', async () => {
    const shell = spawn('sh', ['-c', 'sleep 600 >/dev/null 2>&1 & echo $!'], {
      env: { PATH: process.env.PATH },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [pid] = (await once(shell.stdout.setEncoding('utf8'), 'data')) as [string];
    await once(shell, 'close');
    expect(await folder.clean(NOT_LONG_MS)).toEqual([
      `process ${pid.trim()}: sleep 600 (in ${process.cwd()})`,
    ]);
    expect(await folder.clean()).toEqual([]);
  });

  onLinux('is a process that has nothing but its folder there', async () => {
    const child = spawn('/bin/sleep', ['600'], { cwd: tmpdir(), env: {}, stdio: 'ignore' });
    const ended = once(child, 'exit');
    expect(await folder.clean(NOT_LONG_MS)).toEqual([
      `process ${child.pid}: /bin/sleep 600 (in ${tmpdir()})`,
    ]);
    expect(await ended).toEqual([null, 'SIGKILL']);
  });

  (hasNftables ? it : it.skip)('is a table of nftables', async () => {
    const make = (name: string): unknown =>
      spawnSync('nft', ['-f', '-'], { input: `add table inet ${name}\ntable inet ${name} {\n}\n` });
    for (const name of ['left_behind', 'removed']) make(name);
    spawnSync('nft', ['-f', '-'], { input: 'delete table inet removed\n' });
    expect(await folder.clean(NOT_LONG_MS)).toEqual(['table inet left_behind of nftables']);
    expect(await folder.clean()).toEqual([]);
  });

  it('is no process that is about to end, and no file, which goes without a word', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'left-')), 'file');
    await writeFile(file, '');
    spawn('sleep', ['0.3'], { stdio: 'ignore' });
    expect(await folder.clean()).toEqual([]);
    expect(existsSync(file)).toBe(false);
    expect(existsSync(tmpdir())).toBe(true);
  });
});
