import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../../src/kernel/database';
import { migrateJobs } from '../../../src/kernel/jobs';
import { ask } from '../../support/database/ask';
import { Launched, pidFileOf, postmasterOf } from './launched';

const asRoot = process.getuid?.() === 0 ? it : it.skip;

describe('the roles of the embedded PostgreSQL', () => {
  let dataDir: string;
  let running: Launched[];

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'embedded-roles-'));
    running = [];
  });

  afterEach(async () => {
    await Promise.all(running.map((launched) => launched.end()));
    await rm(dataDir, { recursive: true, force: true });
  });

  async function start(): Promise<string> {
    const { launched, url } = await Launched.ready('start', dataDir);
    running.push(launched);
    return url;
  }

  /** What the service's role must not be able to do, each with what the database says. */
  async function expectNoSuperuser(url: string): Promise<void> {
    const [role] = await ask(
      url,
      `SELECT rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls FROM pg_roles
        WHERE rolname = current_user`,
    );
    expect(role).toEqual({
      rolsuper: false,
      rolcreatedb: false,
      rolcreaterole: false,
      rolreplication: false,
      rolbypassrls: false,
    });
    for (const sql of [
      `COPY (SELECT 1) TO PROGRAM 'id'`,
      `SELECT pg_read_file('/etc/passwd')`,
      'ALTER SYSTEM SET fsync = off',
      'ALTER ROLE conversation_service SUPERUSER',
      'SET ROLE service',
      'CREATE ROLE another',
      'SELECT rolpassword FROM pg_authid',
    ])
      await expect(ask(url, sql)).rejects.toThrow(/permission denied|Only roles/);
  }

  /** The owners of all that the service and its libraries made. */
  async function expectAllOwned(url: string): Promise<void> {
    const owners = await ask(
      url,
      `SELECT DISTINCT owner::regrole::text FROM (
         SELECT 'pg_class'::regclass, oid, relowner AS owner FROM pg_class
         UNION ALL SELECT 'pg_proc'::regclass, oid, proowner FROM pg_proc
         UNION ALL SELECT 'pg_type'::regclass, oid, typowner FROM pg_type
         UNION ALL SELECT 'pg_namespace'::regclass, oid, nspowner FROM pg_namespace
         UNION ALL SELECT 'pg_statistic_ext'::regclass, oid, stxowner FROM pg_statistic_ext) AS made (class, oid, owner)
        WHERE oid >= 16384 AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = class AND d.objid = made.oid
                                              AND d.deptype = 'e')
          AND oid NOT IN (SELECT t.typarray FROM pg_type t JOIN pg_depend d ON d.objid = t.oid AND d.deptype = 'e')`,
    );
    expect(owners).toEqual([{ owner: 'conversation_service' }]);
  }

  it('give the service what it needs for its migrations, and no more', async () => {
    const url = await start();
    await migrate(url, migrateJobs);
    await expectNoSuperuser(url);
    await expectAllOwned(url);
    expect(JSON.parse(await readFile(join(dataDir, 'postgres.json'), 'utf8'))).toMatchObject({ url });
  });

  it('keep the passwords from everybody but the server and root', async () => {
    await start();
    const home = await stat(join(dataDir, 'postgres'));
    const kept = await stat(join(dataDir, 'postgres', 'credentials.json'));
    expect([home.mode & 0o777, kept.mode & 0o777, kept.uid]).toEqual([0o700, 0o600, home.uid]);
    const running = await stat(join(dataDir, 'postgres.json'));
    expect([running.mode & 0o777, running.uid]).toEqual([0o600, process.getuid?.()]);
    expect(await readdir(join(dataDir, 'postgres'))).not.toContain('password');
  });

  asRoot('give the server a user that nobody else has', async () => {
    await start();
    const { uid, gid } = await stat(`/proc/${await postmasterOf(dataDir)}`);
    const others = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':')[2]);
    expect(others).not.toContain(String(uid));
    expect([uid >= 60_578 && uid <= 61_183, gid]).toEqual([true, uid]);
    expect((await stat(pidFileOf(dataDir))).uid).toBe(uid);
  });

  it('are prepared by the next start where one was killed before the last step', async () => {
    await start();
    await running[0]?.end();
    const left = join(dataDir, 'postgres', 'password');
    await writeFile(left, 'which the database no longer takes', { mode: 0o600 });
    const url = await start();
    await expectNoSuperuser(url);
    await expect(stat(left)).rejects.toThrow('ENOENT');
  });
});
