import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandsOf } from '../../support/backup/chapter';
import { ReleaseFolder } from '../../support/backup/release-folder';
import { createEmptyDatabase } from '../../support/database/postgres';
import { freePort } from '../../support/service/free-port';
import { call } from '../../support/service/http';
import { ReadyBalancer } from '../../support/service/ready-balancer';
import type { ServiceProcess } from '../../support/service/service-process';

const PAGE = 'upgrading.md';
const KEY_PATH = '/api/keys/current';
/** Of version 0.1.0, by its newest migration. */
const FIRST_BUILD = 20261127180000;

describe('docs/upgrading.md, followed to the letter', () => {
  let old: ReleaseFolder;
  let fresh: ReleaseFolder;
  let folder: string;
  const started: ServiceProcess[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'upgrading-'));
    await chmod(folder, 0o755);
    await writeFile(join(folder, 'passphrase'), 'a passphrase of the tests\n');
  });
  afterEach(async () => {
    await Promise.all(started.splice(0).map((service) => service.stop()));
    for (const release of [old, fresh]) await release.remove();
    await rm(folder, { recursive: true, force: true });
  });

  function start(release: ReleaseFolder, env: Readonly<Record<string, string>>): ServiceProcess {
    const service = release.start(env);
    started.push(service);
    return service;
  }

  async function issueKey(release: ReleaseFolder, env: Readonly<Record<string, string>>): Promise<string> {
    const printed = await release.paste(
      `cd ${release.path}; npm run --silent cli -- key:issue --email owner@localhost.example`,
      env,
    );
    return (JSON.parse(printed) as { key: string }).key;
  }

  it('upgrades one process with a database of its own, and goes back by the backup', async () => {
    [old, fresh] = [await ReleaseFolder.present(), await ReleaseFolder.next()];
    const port = await freePort();
    const SERVICE = `http://127.0.0.1:${port}`;
    const env = { DATA_DIR: join(folder, 'data'), PORT: `${port}` };
    const pasted = { ...env, OLD: old.path, NEW: fresh.path, BACKUPS: folder, SERVICE };
    const statusOf = async (key: string) => (await call({ url: SERVICE }, 'GET', KEY_PATH, { key })).status;

    const before = start(old, env);
    await before.ready;
    const key = await issueKey(old, env);
    expect(await fresh.paste(commandsOf(PAGE, 'Before'), pasted)).toContain(
      'The next start runs 1 migration.',
    );

    expect(await before.stop()).toBe(0);
    const after = start(fresh, env);
    await fresh.paste(commandsOf(PAGE, 'One process'), pasted);
    expect(await statusOf(key)).toBe(200);
    const later = await issueKey(fresh, env);
    expect(await statusOf(later)).toBe(200);

    expect(await after.stop()).toBe(0);
    const shutOut = start(old, env);
    expect(await shutOut.ended).toBe(1);
    expect(shutOut.errors).toMatch(
      /^The database belongs to a newer build: it needs build 29990101000000 or newer/,
    );
    await old.paste(commandsOf(PAGE, 'Back to the release before'), pasted);
    await start(old, env).ready;
    expect(await statusOf(key)).toBe(200);
    expect(await statusOf(later)).toBe(401);
  });

  it('replaces replicas one by one, while every request is answered', async () => {
    [old, fresh] = [await ReleaseFolder.present(), await ReleaseFolder.next(FIRST_BUILD)];
    const database = await createEmptyDatabase();
    const envOf = (host: number) => ({
      DATABASE_URL: database.url,
      SECRET_KEY: 'a-secret-key-of-tests-0123456789',
      DATA_DIR: join(folder, `host-${host}`),
      STOP_DELAY_SECONDS: '5',
    });
    const replicas = [start(old, envOf(0))];
    const urls = [(await replicas[0]?.ready) ?? ''];
    replicas.push(start(old, envOf(1)));
    urls.push((await replicas[1]?.ready) ?? '');
    const key = await issueKey(old, envOf(0));
    const balancer = await ReadyBalancer.start(urls);
    const load = new Load(balancer, key);
    try {
      for (const [n, replica] of replicas.entries()) {
        const next = start(fresh, envOf(n + 2));
        const url = await next.ready;
        await fresh.paste(commandsOf(PAGE, 'Several replicas, without a pause'), { REPLICA: url });
        balancer.add(url);
        await load.more();
        expect(await replica.stop()).toBe(0);
      }
      await load.more();
      expect(await load.end()).toEqual([]);
    } finally {
      await load.end();
      await balancer.close();
      await Promise.all(started.splice(0).map((service) => service.stop()));
      await database.drop();
    }
  });
});

/** Requests all the time, read and written, a few at once. */
class Load {
  private readonly failures: string[] = [];
  private answered = 0;
  private isOver = false;
  private readonly callers: readonly Promise<void>[];

  constructor(
    private readonly balancer: ReadyBalancer,
    private readonly key: string,
  ) {
    this.callers = Array.from({ length: 3 }, () => this.ask());
  }

  /** Waits until many more were answered. */
  async more(): Promise<void> {
    const enough = this.answered + 20;
    while (this.answered < enough && this.failures.length === 0)
      await new Promise((resolve) => setTimeout(resolve, 20));
  }

  /** @returns the requests that failed */
  async end(): Promise<readonly string[]> {
    this.isOver = true;
    await Promise.all(this.callers);
    return this.failures;
  }

  private async ask(): Promise<void> {
    while (!this.isOver) {
      const { status } = await call(this.balancer, 'GET', KEY_PATH, { key: this.key });
      if (status !== 200) this.failures.push(`GET ${status}`);
      const changed = { max_budget_per_task: this.answered + 1 };
      const written = await call(this.balancer, 'POST', '/api/organizations/app', {
        key: this.key,
        body: changed,
      });
      if (written.status !== 200) this.failures.push(`POST ${written.status}`);
      this.answered += 1;
    }
  }
}
