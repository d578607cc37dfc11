import { access, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { BackedUpDatabase, organizationsIn } from '../../support/backup/backed-up-database';
import { CliProcess } from '../../support/backup/cli-process';
import { ROOT } from '../../support/compiled/compiled-sources';
import { ask } from '../../support/database/ask';
import type { TestDatabase } from '../../support/database/postgres';
import { eventually } from '../../support/eventually';
import { ServiceProcess } from '../../support/service/service-process';

/** Enough that a table is written for a while. */
const ORGANIZATIONS = 200_000;

describe('a backup or a restore that fails', () => {
  let backedUp: BackedUpDatabase;
  beforeAll(async () => (backedUp = await BackedUpDatabase.make(ORGANIZATIONS)));
  afterAll(() => backedUp.remove());

  /** Has a restore fail. @returns what it said */
  async function refusal(file: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
    const target = await backedUp.emptyDatabase();
    return CliProcess.failure(['restore', '--from', file], { ...backedUp.env(target, 'refused'), ...env });
  }

  it.each([
    [
      'in its header',
      0.000_001,
      /cannot be opened: the passphrase is not the one it was made with, or it is no backup/,
    ],
    ['in its middle', 0.5, /is damaged or was cut short, and cannot be restored/],
    ['at its end', 0.999_999, /is damaged or was cut short, and cannot be restored/],
  ])('says so of a file with a changed byte %s', async (_, place, sentence) => {
    const bytes = await readFile(backedUp.file);
    const at = Math.floor(bytes.length * place);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    const changed = backedUp.path(`changed-${place}.age`);
    await writeFile(changed, bytes);
    const said = await refusal(changed);
    expect(said).toMatch(sentence);
    expect(said.trim().split('\n')).toHaveLength(1);
  });

  it('says so of a file that was cut short, and leaves nothing that a service starts on', async () => {
    const bytes = await readFile(backedUp.file);
    const cut = backedUp.path('cut.age');
    await writeFile(cut, bytes.subarray(0, Math.floor(bytes.length / 2)));
    const target = await backedUp.emptyDatabase();
    const env = backedUp.env(target, 'cut');
    expect(await CliProcess.failure(['restore', '--from', cut], env)).toBe(
      `${cut} is damaged or was cut short, and cannot be restored.\n`,
    );
    expect(await organizationsIn(target)).toBe(0);
    const service = ServiceProcess.start(env);
    expect(await service.ended).toBe(1);
    expect(service.errors).toBe(
      'A restore of this database has begun and not ended. Run it again, or start on an empty database.\n',
    );
    await CliProcess.run(['restore', '--from', backedUp.file], env);
    expect(await organizationsIn(target)).toBe(ORGANIZATIONS);
  });

  it('says so of a wrong passphrase, and of one that is too short', async () => {
    expect(await refusal(backedUp.file, { BACKUP_PASSPHRASE: 'another passphrase' })).toBe(
      `${backedUp.file} cannot be opened: the passphrase is not the one it was made with, or it is no backup.\n`,
    );
    expect(await refusal(backedUp.file, { BACKUP_PASSPHRASE: 'short' })).toMatch(
      /^A backup needs a passphrase of at least 12 characters/,
    );
  });

  it('says so when the disk is full, and leaves no file', async () => {
    const full = backedUp.path('full.age');
    // No file may get larger than 100 KiB.
    const limited = ['bash', '-c', 'trap "" XFSZ; ulimit -f 100; exec "$@"', 'limited'];
    expect(
      await CliProcess.failure(['backup', '--to', full], backedUp.env(backedUp.source, 'source'), limited),
    ).toBe(`${full} does not fit: it would be larger than files may be here.\n`);
    expect((await backedUp.files()).filter((name) => name.startsWith('full'))).toEqual([]);
  });

  it('leaves no file under its name when a backup is killed, and another one is made', async () => {
    const killed = backedUp.path('killed.age');
    const args = ['backup', '--to', killed];
    const client = new Client(backedUp.source.url);
    await client.connect();
    try {
      // Until it is killed.
      await client.query('BEGIN; LOCK TABLE organizations');
      const backup = CliProcess.start(args, backedUp.env(backedUp.source, 'source'));
      await eventually(async () =>
        expect(await backedUp.files()).toContain(`killed.age.${backup.child.pid}.unfinished`),
      );
      backup.child.kill('SIGKILL');
      expect((await backup.ended).code).toBe('SIGKILL');
    } finally {
      await client.end();
    }
    expect(await backedUp.files()).not.toContain('killed.age');
    await CliProcess.run(args, backedUp.env(backedUp.source, 'source'));
    expect(await backedUp.files()).toContain('killed.age');
  });

  it('can be run again when a restore is killed, until which no service starts', async () => {
    const target = await backedUp.emptyDatabase();
    const env = backedUp.env(target, 'killed');
    const restore = CliProcess.start(['restore', '--from', backedUp.file], env);
    const client = await holdingLastStep(target);
    try {
      await eventually(async () => expect(await copying(target)).toBe(true));
      restore.child.kill('SIGKILL');
      expect((await restore.ended).code).toBe('SIGKILL');
    } finally {
      await client.end();
    }
    expect(await CliProcess.failure(['migrate'], env)).toMatch(/^A restore of this database has begun/);
    await CliProcess.run(['restore', '--from', backedUp.file], env);
    expect(await organizationsIn(target)).toBe(ORGANIZATIONS);
    expect(await CliProcess.run(['migrate'], env)).toEqual({ migrations: [] });
  });

  it('can be run again when a restore is killed after its files came into place, which replaces no others', async () => {
    const target = await backedUp.emptyDatabase();
    const env = backedUp.env(target, 'killed-late');
    const hostId = join(backedUp.path('killed-late'), 'host-id');
    const restore = CliProcess.start(['restore', '--from', backedUp.file], env);
    const client = await holdingLastStep(target);
    try {
      await eventually(() => access(hostId), 120_000);
      restore.child.kill('SIGKILL');
      expect((await restore.ended).code).toBe('SIGKILL');
    } finally {
      await client.end();
    }
    expect(await CliProcess.failure(['migrate'], env)).toMatch(/^A restore of this database has begun/);
    const other = await backedUp.emptyDatabase();
    expect(
      await CliProcess.failure(['restore', '--from', backedUp.file], { ...env, DATABASE_URL: other.url }),
    ).toMatch(/^DATA_DIR .+ has host-id already/);
    await CliProcess.run(['restore', '--from', backedUp.file], env);
    expect(await organizationsIn(target)).toBe(ORGANIZATIONS);
    expect(await readFile(hostId, 'utf8')).toBe(
      await readFile(join(backedUp.path('source'), 'host-id'), 'utf8'),
    );
    expect((await readdir(backedUp.path('killed-late'))).sort()).toEqual(['host-id']);
  });

  it('makes a backup on a disk without hard links', async () => {
    const file = backedUp.path('without-links.age');
    const NODE_OPTIONS = `--require ${join(ROOT, 'test', 'support', 'backup', 'without-hard-links.cjs')}`;
    const env = { ...backedUp.env(backedUp.source, 'source'), NODE_OPTIONS };
    await CliProcess.run(['backup', '--to', file], env);
    expect((await backedUp.files()).filter((name) => name.startsWith('without-links'))).toEqual([
      'without-links.age',
    ]);
    expect(await CliProcess.failure(['backup', '--to', file], env)).toMatch(/exists already/);
  });

  it('makes nothing in a DATA_DIR that is mistyped, or has lost its key', async () => {
    const to = ['backup', '--to', backedUp.path('nothing.age')];
    const { DATABASE_URL = '', SECRET_KEY = '' } = backedUp.env(backedUp.source, 'source');
    const missing = backedUp.path('mistyped');
    for (const env of [{ DATABASE_URL, SECRET_KEY }, {}])
      expect(await CliProcess.failure(to, { ...env, DATA_DIR: missing })).toBe(
        `DATA_DIR ${missing} cannot be used: it does not exist. Name the folder of the installation.\n`,
      );
    const empty = backedUp.path('empty');
    await mkdir(empty);
    expect(await CliProcess.failure(to, { DATA_DIR: empty })).toMatch(
      /^There is nothing to back up: DATA_DIR .+ has no embedded database, and DATABASE_URL is not set\.\n$/,
    );
    await mkdir(join(empty, 'postgres', 'data'), { recursive: true });
    expect(await CliProcess.failure(to, { DATA_DIR: empty })).toMatch(/ has no secret\.key, with which /);
    expect(await readdir(empty)).toEqual(['postgres']);
    await expect(access(missing)).rejects.toThrow('ENOENT');
  });

  it('replaces neither a database nor sandboxes that are there', async () => {
    const inUse = backedUp.env(backedUp.source, 'elsewhere');
    expect(await CliProcess.failure(['restore', '--from', backedUp.file], inUse)).toMatch(
      /^The database has tables already\. Restore into one without any/,
    );
    const target = await backedUp.emptyDatabase();
    const used = backedUp.env(target, 'source');
    expect(await CliProcess.failure(['restore', '--from', backedUp.file], used)).toMatch(
      /^DATA_DIR .+ has host-id already\. Restore into another folder, or move it away\.\n$/,
    );
    expect(await CliProcess.failure(['backup', '--to', backedUp.file], used)).toMatch(
      /exists already\. Name another/,
    );
  });

  it('needs the key that the secrets are encrypted with', async () => {
    const SECRET_KEY = 'quite-another-key-of-tests-987654321';
    expect(await refusal(backedUp.file, { SECRET_KEY })).toMatch(
      /^SECRET_KEY is not the key that the secrets in this backup are encrypted with/,
    );
    const env = { ...backedUp.env(backedUp.source, 'source'), SECRET_KEY };
    expect(await CliProcess.failure(['backup', '--to', backedUp.path('other.age')], env)).toMatch(
      /^SECRET_KEY is not the key that the secrets in this database are encrypted with/,
    );
  });

  it('names tables that no migration of this build makes, which can be left out', async () => {
    await ask(backedUp.source.url, 'CREATE TABLE ours (n int); INSERT INTO ours VALUES (1)');
    const file = backedUp.path('with-ours.age');
    await CliProcess.run(['backup', '--to', file], backedUp.env(backedUp.source, 'source'));
    expect(await refusal(file)).toMatch(/^No migration of this build makes ours, .+ --without ours\.\n$/);
    const target = await backedUp.emptyDatabase();
    const args = ['restore', '--from', file, '--without', 'ours'];
    await CliProcess.run(args, backedUp.env(target, 'without'));
    expect(await organizationsIn(target)).toBe(ORGANIZATIONS);
  });

  it('refuses a backup of a newer build', async () => {
    const newer = `INSERT INTO schema_migrations (timestamp, name) VALUES (29990101000000, 'Later29990101000000')`;
    await ask(backedUp.source.url, newer);
    const file = backedUp.path('newer.age');
    await CliProcess.run(['backup', '--to', file], backedUp.env(backedUp.source, 'source'));
    expect(await refusal(file)).toMatch(
      /^The backup is of a newer build: this one does not have its migration Later29990101000000\. /,
    );
  });

  /** Whether a restore has begun to write, and not ended. */
  async function copying({ url }: TestDatabase): Promise<boolean> {
    const rows = await ask(
      url,
      `SELECT 1 FROM pg_stat_activity
        WHERE datname = current_database()
          AND (query LIKE 'COPY organizations%' OR query LIKE '%unfinished_restore%' AND wait_event_type = 'Lock')`,
    );
    return rows.length > 0;
  }

  /** Makes the last step of a restore wait. @returns the connection that has to end before it goes on */
  async function holdingLastStep({ url }: TestDatabase): Promise<Client> {
    const client = new Client(url);
    await client.connect();
    await eventually(async () => {
      await client.query('BEGIN');
      await client.query('SELECT FROM unfinished_restore').catch(async (error: unknown) => {
        await client.query('ROLLBACK');
        throw error;
      });
    });
    return client;
  }
});
