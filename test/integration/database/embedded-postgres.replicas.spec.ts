import { execFile, spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { startOf, waitUntilGone } from '../../../src/kernel/common';
import { postgresProcessesIn } from '../../../src/appliance/embedded-postgres/process-table';
import { ask } from '../../support/database/ask';
import { askUntilAnswered, Launched, pidFileOf, postmasterOf, until } from './launched';
import { awakeMs } from '../../support/awake-clock';
import { endAtOnce } from '../../support/processes-in';
import { timeBound } from '../../support/time-bound';

const ORDINARY_USER = 1; // `daemon`, on every Linux and macOS
const asRoot = process.getuid?.() === 0 ? it : it.skip;

describe('the embedded PostgreSQL', () => {
  let madeOnce: string;
  let dataDir: string;
  let running: Launched[];

  /** Making a cluster takes longer than anything else here: most tests begin with a copy. */
  beforeAll(async () => {
    madeOnce = await mkdtemp(join(tmpdir(), 'embedded-'));
    const { launched } = await Launched.ready('start', madeOnce);
    await launched.end();
  });
  afterAll(() => rm(madeOnce, { recursive: true, force: true }));

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'embedded-'));
    running = [];
  });

  const useMade = (): Promise<unknown> => promisify(execFile)('cp', ['-a', `${madeOnce}/.`, dataDir]);

  afterEach(async () => {
    await Promise.all(running.map((launched) => launched.end()));
    const folder = join(dataDir, 'postgres', 'data');
    if (await exists(folder)) {
      const left = await postgresProcessesIn(folder);
      for (const pid of left) endAtOnce(pid);
      await waitUntilGone(left, 30_000);
    }
    await rm(dataDir, { recursive: true, force: true });
  });

  async function start(mode: 'start' | 'connect' = 'start', uid?: number) {
    const ready = await Launched.ready(mode, dataDir, uid);
    running.push(ready.launched);
    return ready;
  }

  /** PostgreSQL sees through a stale pid file by itself when the number belongs to another user. */
  async function serverUser(): Promise<{ uid?: number }> {
    return process.getuid?.() === 0 ? { uid: (await stat(join(dataDir, 'postgres'))).uid } : {};
  }

  it('keeps its data from one run to the next, and stops within three seconds', async () => {
    const first = await start();
    await ask(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    const open = new Client(first.url);
    open.on('error', () => undefined);
    await open.connect();
    const before = awakeMs();
    await first.launched.end();
    expect(awakeMs() - before).toBeLessThan(timeBound(3_000));
    await open.end().catch(() => undefined);
    expect(await exists(pidFileOf(dataDir))).toBe(false);

    const second = await start();
    expect(await ask(second.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  });

  it('is durable, in UTF-8, knows case beyond ASCII, and has trigrams', async () => {
    const { url } = await start();
    await ask(url, 'CREATE EXTENSION IF NOT EXISTS pg_trgm');
    const [facts] = await ask(
      url,
      `SELECT current_setting('fsync') AS fsync, current_setting('full_page_writes') AS pages,
         current_setting('synchronous_commit') AS commit, current_setting('data_checksums') AS checksums,
         current_setting('server_encoding') AS encoding, lower('ÉÀŁ') AS lower`,
    );
    expect(facts).toEqual({
      fsync: 'on',
      pages: 'on',
      commit: 'on',
      checksums: 'on',
      encoding: 'UTF8',
      lower: 'éàł',
    });
  });

  it('lets nobody in without its password, which only its owner can read', async () => {
    const { url } = await start();
    for (const password of ['', 'wrong']) {
      const guess = new URL(url);
      guess.password = password;
      await expect(ask(guess.href, 'SELECT 1')).rejects.toThrow(/password/);
    }
    for (const file of ['postgres.json', 'postgres.lock', 'postgres/credentials.json'])
      expect((await stat(join(dataDir, file))).mode & 0o777).toBe(0o600);
    expect((await stat(join(dataDir, 'postgres'))).mode & 0o777).toBe(0o700);
  });

  it('is found and replaced by the next start when its service was killed', async () => {
    await useMade();
    const first = await start();
    await ask(first.url, 'CREATE TABLE kept AS SELECT 1 AS one');
    const orphan = await postmasterOf(dataDir);
    await first.launched.end('SIGKILL');
    expect(await startOf(orphan)).not.toBeNull();

    const before = awakeMs();
    const second = await start();
    expect(awakeMs() - before).toBeLessThan(timeBound(5_000));
    expect(await startOf(orphan)).toBeNull();
    expect(await ask(second.url, 'SELECT one FROM kept')).toEqual([{ one: 1 }]);
  });

  it('ends by itself when its service leaves without stopping it', async () => {
    await useMade();
    const { launched } = await start();
    const postmaster = await postmasterOf(dataDir);
    launched.child.stdin?.write('exit\n');
    await until(async () => ((await startOf(postmaster)) === null ? true : null));
  });

  it('comes back at the same address when it is killed, though a query of it still runs', async () => {
    await useMade();
    const { url } = await start();
    await ask(url, 'CREATE TABLE kept AS SELECT 1 AS one');
    const busy = ask(url, 'SELECT count(*) FROM generate_series(1, 1e11)').catch(() => 'ended');
    await until(async () =>
      (await ask(url, `SELECT 1 FROM pg_stat_activity WHERE query LIKE 'SELECT count(*) FROM gen%'`)).length >
      0
        ? true
        : null,
    );
    const killed = await postmasterOf(dataDir);
    process.kill(killed, 'SIGKILL');
    expect(await busy).toBe('ended');
    expect(await askUntilAnswered(url, 'SELECT one FROM kept')).toEqual([{ one: 1 }]);
    expect(await postmasterOf(dataDir)).not.toBe(killed);
  });

  it('starts again after service and server were both killed', async () => {
    await useMade();
    const first = await start();
    await ask(first.url, 'CREATE TABLE kept AS SELECT 1 AS one');
    const postmaster = await postmasterOf(dataDir);
    await first.launched.end('SIGKILL');
    process.kill(postmaster, 'SIGKILL');
    const second = await start();
    expect(await ask(second.url, 'SELECT one FROM kept')).toEqual([{ one: 1 }]);
  });

  it('counts a zombie in the pid file or in the lock as dead', async () => {
    await useMade();
    const crashed = await start();
    const lock = join(dataDir, 'postgres.lock');
    const holder = JSON.parse(await readFile(lock, 'utf8')) as Record<string, unknown>;
    const pidFile = await readFile(pidFileOf(dataDir), 'utf8');
    const postmaster = await postmasterOf(dataDir);
    await crashed.launched.end('SIGKILL');
    process.kill(postmaster, 'SIGKILL');
    await waitUntilGone(await postgresProcessesIn(join(dataDir, 'postgres', 'data')), 30_000);

    // The shell starts a child and becomes a program that never collects it; only then the child may end.
    const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec tail -f /dev/null'], {
      ...(await serverUser()),
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      const zombie = Number(
        await new Promise<string>((resolve) => parent.stdout.once('data', (text) => resolve(String(text)))),
      );
      await until(async () => ((await programOf(parent.pid)) === 'tail' ? true : null));
      process.kill(zombie, 'SIGKILL');
      await until(async () => ((await startOf(zombie)) === null ? true : null));
      process.kill(zombie, 0); // its number is still taken
      await writeFile(pidFileOf(dataDir), pidFile.replace(/^\d+/, String(zombie)));
      await writeFile(lock, JSON.stringify({ ...holder, pid: zombie }));
      const again = await start();
      expect(await ask(again.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    } finally {
      parent.kill('SIGKILL');
    }
  });

  it('leaves an unrelated process alone whose pid is in an old pid file or lock', async () => {
    await useMade();
    const crashed = await start();
    const lock = join(dataDir, 'postgres.lock');
    const holder = JSON.parse(await readFile(lock, 'utf8')) as Record<string, unknown>;
    const pidFile = await readFile(pidFileOf(dataDir), 'utf8');
    await crashed.launched.end();
    const unrelated = spawn('sleep', ['60'], await serverUser());
    try {
      await writeFile(pidFileOf(dataDir), pidFile.replace(/^\d+/, String(unrelated.pid)));
      await writeFile(lock, JSON.stringify({ ...holder, pid: unrelated.pid }));
      const again = await start();
      expect(await ask(again.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
      expect(unrelated.exitCode ?? unrelated.signalCode).toBeNull();
    } finally {
      unrelated.kill('SIGKILL');
    }
  });

  it('believes a holder it cannot see only as long as that one keeps touching the lock', async () => {
    await useMade();
    await writeFile(
      join(dataDir, 'postgres.lock'),
      JSON.stringify({ pid: 1, start: '1', space: 'elsewhere', purpose: 'service' }),
    );
    const beat = setInterval(() => void touch(join(dataDir, 'postgres.lock')), 200);
    const refused = Launched.begin('start', dataDir);
    running.push(refused);
    expect(await refused.answer()).toEqual({ error: expect.stringContaining('is in use') as string });
    clearInterval(beat);
    await start();
  });

  it('refuses a second start on one folder with a sentence that names the first', async () => {
    await useMade();
    const first = await start();
    const second = Launched.begin('start', dataDir);
    running.push(second);
    expect(await second.answer()).toEqual({
      error: `DATA_DIR ${dataDir} is in use by another run of the service (process ${first.launched.child.pid}). Stop that one, or set another DATA_DIR.`,
    });
    expect(await ask(first.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('lets one of three concurrent starts win over a stale lock', async () => {
    await useMade();
    const dead = await start();
    await dead.launched.end('SIGKILL');
    const three = [1, 2, 3].map(() => Launched.begin('start', dataDir));
    running.push(...three);
    const answers = await Promise.all(three.map((launched) => launched.answer()));
    const [url, ...others] = answers.flatMap((answer) => ('url' in answer ? [answer.url] : []));
    expect(others).toEqual([]);
    expect(await ask(url ?? '', 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('is shared with a command while the service runs', async () => {
    await useMade();
    const service = await start();
    const command = await start('connect');
    expect(command.url).toBe(service.url);
    await command.launched.end();
    expect(await ask(service.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('runs for a command alone, and a service that starts meanwhile waits for its end', async () => {
    await useMade();
    const command = await start('connect');
    const service = Launched.begin('start', dataDir);
    running.push(service);
    const answer = service.answer();
    expect(await ask(command.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await command.launched.end();
    expect(await answer).toEqual({ url: expect.any(String) as string });
  });

  it('starts over when its first making was interrupted', async () => {
    await mkdir(join(dataDir, 'postgres', 'data.new', 'base'), { recursive: true });
    await writeFile(join(dataDir, 'postgres', 'password'), 'of the interrupted one', { mode: 0o600 });
    const { url } = await start();
    expect(await ask(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  asRoot('gives up root, below a folder that only root may enter', async () => {
    await chmod(dataDir, 0o700);
    const { url } = await start();
    expect((await stat(`/proc/${await postmasterOf(dataDir)}`)).uid).not.toBe(0);
    expect(await ask(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  asRoot('runs as an ordinary user, and later as root on the same folder', async () => {
    await chmod(dataDir, 0o777);
    const ordinary = await start('start', ORDINARY_USER);
    expect((await stat(pidFileOf(dataDir))).uid).toBe(ORDINARY_USER);
    await ask(ordinary.url, 'CREATE TABLE kept AS SELECT 1 AS one');
    await ordinary.launched.end('SIGKILL');
    const root = await start();
    expect((await stat(pidFileOf(dataDir))).uid).toBe(ORDINARY_USER);
    expect(await ask(root.url, 'SELECT one FROM kept')).toEqual([{ one: 1 }]);
  });

  asRoot('tells an ordinary user whose folder it is', async () => {
    const root = await start();
    await root.launched.end();
    await chmod(dataDir, 0o777);
    const refused = Launched.begin('start', dataDir, ORDINARY_USER);
    running.push(refused);
    expect(await refused.answer()).toEqual({
      error: expect.stringMatching(/database folder .* belongs to user \d+/) as string,
    });
  });
});

async function programOf(pid: number | undefined): Promise<string> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'comm=', '-p', String(pid)]);
  return stdout.trim();
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function touch(file: string): Promise<void> {
  await utimes(file, new Date(), new Date());
}
