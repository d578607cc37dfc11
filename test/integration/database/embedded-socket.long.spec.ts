import { spawn, spawnSync } from 'node:child_process';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntilGone } from '../../../src/kernel/common';
import { isDatabaseUnavailable } from '../../../src/kernel/database';
import { postgresProcessesIn } from '../../../src/appliance/embedded-postgres/process-table';
import { socketFolderIn } from '../../../src/appliance/embedded-postgres/socket-folder';
import { endAtOnce } from '../../support/processes-in';
import { ask } from '../../support/database/ask';
import { askUntilAnswered, Launched, postmasterOf } from './launched';

const OTHER_USER = { uid: 65_533, gid: 65_533 };
const SOCKET = '.s.PGSQL.5432';
const asRoot = process.getuid?.() === 0 ? it : it.skip;
const onLinux = process.platform === 'linux' ? it : it.skip;

describe('where the embedded PostgreSQL listens', () => {
  let parent: string;
  let dataDir: string;
  let running: Launched[];

  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'embedded-socket-'));
    await chmod(parent, 0o755);
    dataDir = join(parent, 'data');
    running = [];
  });

  afterEach(async () => {
    await Promise.all(running.map((launched) => launched.end()));
    await endServer();
    await rm(parent, { recursive: true, force: true });
  });

  async function start(mode: 'start' | 'connect' = 'start', folder = dataDir) {
    const ready = await Launched.ready(mode, folder);
    running.push(ready.launched);
    return { ...ready, socket: socketFolderIn(ready.url) ?? '' };
  }

  const cluster = (): string => join(dataDir, 'postgres', 'data');

  async function endServer(): Promise<void> {
    const left = await postgresProcessesIn(cluster()).catch(() => []);
    for (const pid of left) endAtOnce(pid);
    await waitUntilGone(left, 5_000);
  }

  /** Kills the service first, so that nobody starts the server again. */
  async function killBoth({ launched }: { launched: Launched }): Promise<void> {
    await launched.end('SIGKILL');
    await endServer();
  }

  onLinux('is a socket, and no port', async () => {
    await start();
    const sockets = await socketsOf(await postgresProcessesIn(cluster()));
    const listed = async (name: string): Promise<string[]> =>
      (await readFile(`/proc/net/${name}`, 'utf8')).split('\n').filter((line) => {
        const words = line.trim().split(/\s+/);
        return words.some((word) => sockets.has(word));
      });
    expect(await listed('unix')).toContainEqual(expect.stringContaining(SOCKET));
    for (const name of ['tcp', 'tcp6', 'udp', 'udp6']) expect(await listed(name)).toEqual([]);
  });

  it('is a folder that only the user of the server can enter', async () => {
    await (await start()).launched.end();
    await chmod(cluster(), 0o750); // as PostgreSQL accepts it
    const { socket } = await start();
    const { uid, mode } = await stat(socket);
    expect([uid, mode & 0o777]).toEqual([(await stat(join(socket, 'postmaster.pid'))).uid, 0o700]);
    expect((await stat(join(socket, SOCKET))).mode & 0o077).toBe(0);
  });

  asRoot('cannot be reached by another user, nor taken when service and server are dead', async () => {
    const service = await start();
    const file = join(service.socket, SOCKET);
    expect(asOther(`require('net').connect('${file}')`)).toBe('EACCES');
    await killBoth(service);
    expect(asOther(`require('net').createServer().listen('${file}')`)).toBe('EACCES');
    expect(asOther(`require('fs').renameSync('${service.socket}', '${service.socket}.away')`)).toBe('EACCES');
    expect(asOther(`require('fs').renameSync('${dataDir}', '${dataDir}.away')`)).toBe('EACCES');
    expect(asOther(`require('fs').renameSync('${tmpdir()}', '${tmpdir()}.away')`)).toMatch(/^E/);
    expect(asOther(`require('fs').renameSync('${parent}', '${parent}.away')`)).toMatch(/^E/);
  });

  it('is the same when the server was killed, and a stale socket with a lock file is no obstacle', async () => {
    const first = await start();
    await ask(first.url, 'CREATE TABLE kept AS SELECT 1 AS one');
    process.kill(await postmasterOf(dataDir), 'SIGKILL');
    expect(await askUntilAnswered(first.url, 'SELECT one FROM kept')).toEqual([{ one: 1 }]);

    await killBoth(first);
    expect(await readdir(first.socket)).toEqual(expect.arrayContaining([SOCKET, `${SOCKET}.lock`]));
    // A process of the server's own user, which PostgreSQL itself would take for the server of this socket.
    const { uid, gid } = await stat(cluster());
    const stranger = spawn('sleep', ['60'], process.getuid?.() === 0 ? { uid, gid } : {});
    try {
      const lock = join(first.socket, `${SOCKET}.lock`);
      await writeFile(lock, (await readFile(lock, 'utf8')).replace(/^\d+/, String(stranger.pid)));
      const second = await start();
      expect(second.url).toBe(first.url);
      expect(await ask(second.url, 'SELECT one FROM kept')).toEqual([{ one: 1 }]);
    } finally {
      stranger.kill('SIGKILL');
    }
  });

  it('is each its own for two services on one host', async () => {
    const other = join(parent, 'other');
    const [one, two] = await Promise.all([start(), start('start', other)]);
    await ask(one.url, 'CREATE TABLE own AS SELECT 1 AS number');
    await ask(two.url, 'CREATE TABLE own AS SELECT 2 AS number');
    expect(await ask(one.url, 'SELECT number FROM own')).toEqual([{ number: 1 }]);
    expect(await ask(two.url, 'SELECT number FROM own')).toEqual([{ number: 2 }]);
  });

  it('is a temporary folder below a path that is too long for a socket', async () => {
    dataDir = join(parent, 'long'.repeat(25), 'ö'.repeat(20));
    const first = await start();
    expect(first.socket).not.toContain(dataDir);
    const { uid, mode } = await stat(first.socket);
    expect([uid, mode & 0o777]).toEqual([(await stat(cluster())).uid, 0o700]);
    await ask(first.url, 'CREATE TABLE kept AS SELECT 1 AS one');
    process.kill(await postmasterOf(dataDir), 'SIGKILL');
    expect(await askUntilAnswered(first.url, 'SELECT one FROM kept')).toEqual([{ one: 1 }]);
    expect((await start('connect')).url).toBe(first.url);

    await killBoth(first);
    const second = await start();
    expect(await ask(second.url, 'SELECT one FROM kept')).toEqual([{ one: 1 }]);
    await expect(stat(first.socket)).rejects.toThrow('ENOENT');
    await second.launched.end();
    await expect(stat(second.socket)).rejects.toThrow('ENOENT');
  });

  asRoot('is a temporary folder below one in which others can rename what is not theirs', async () => {
    await mkdir(dataDir);
    await chmod(dataDir, 0o777);
    const { url, launched } = await start();
    await ask(url, 'CREATE TABLE kept AS SELECT 1 AS one');
    const home = join(dataDir, 'postgres');
    expect(asOther(`require('fs').renameSync('${home}', '${home}.away')`)).toBe('done');
    try {
      expect(asOther(`require('fs').mkdirSync('${cluster()}', { recursive: true })`)).toBe('done');
      expect(await ask(url, 'SELECT one FROM kept')).toEqual([{ one: 1 }]);
    } finally {
      await rm(home, { recursive: true });
      await rename(`${home}.away`, home);
      await launched.end();
    }
  });

  onLinux('counts as unavailable when it does not accept and too many connections wait', async () => {
    const { socket, url } = await start();
    const postmaster = await postmasterOf(dataDir);
    const waiting: Socket[] = [];
    process.kill(postmaster, 'SIGSTOP');
    try {
      let refused: unknown;
      while (refused === undefined && waiting.length < 10_000) {
        const one = connect(join(socket, SOCKET));
        waiting.push(one);
        refused = await new Promise((resolve) => {
          one.once('connect', () => resolve(undefined)).on('error', resolve);
        });
      }
      expect(refused).toMatchObject({ code: 'EAGAIN' });
      expect(isDatabaseUnavailable(refused)).toBe(true);
    } finally {
      for (const one of waiting) one.destroy();
      process.kill(postmaster, 'SIGCONT');
    }
    expect(await askUntilAnswered(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});

/** What an expression of Node comes to that another user evaluates: the code of its error, or `done`. */
function asOther(expression: string): string {
  const script = `
    const end = (what) => { console.log(what); process.exit(); };
    process.on('uncaughtException', (error) => end(error.code));
    const made = ${expression};
    if (typeof made?.once === 'function') made.once('connect', () => end('done')).once('listening', () => end('done'));
    else end('done');`;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], { ...OTHER_USER, encoding: 'utf8' });
  return stdout.trim() || stderr;
}

/** The numbers of the sockets that the processes have open, as the lists of the kernel name them. */
async function socketsOf(pids: readonly number[]): Promise<Set<string>> {
  const found = new Set<string>();
  for (const pid of pids)
    for (const fd of await readdir(`/proc/${pid}/fd`).catch(() => [])) {
      const target = await readlink(`/proc/${pid}/fd/${fd}`).catch(() => '');
      const number = /^socket:\[(\d+)\]$/.exec(target)?.[1];
      if (number !== undefined) found.add(number);
    }
  return found;
}
