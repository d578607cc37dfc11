import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { migrate } from '../../../src/database';
import { findBinaries } from '../../../src/database/embedded/binaries';
import { folderArgument, runAs } from '../../../src/database/embedded/cluster';
import { Postmaster } from '../../../src/database/embedded/postmaster';
import { superuserAddress } from '../../../src/database/embedded/roles';
import { initialUser, serverUserFor } from '../../../src/database/embedded/server-user';
import { SocketFolder } from '../../../src/database/embedded/socket-folder';
import { migrateJobs } from '../../../src/jobs';
import { ask } from '../../support/database/ask';
import { Launched, pidFileOf, postmasterOf } from './launched';

const asRoot = process.getuid?.() === 0 ? it : it.skip;
const OLD_PASSWORD = 'written-into-postgres-json-by-the-first-release';

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

  it('are brought to a folder of the first release, whose service was the superuser', async () => {
    await makeFolderOfFirstRelease(dataDir);
    const url = await start();
    expect(await ask(url, 'SELECT name FROM organizations')).toEqual([{ name: 'Kept' }]);
    await expectNoSuperuser(url);
    await expectAllOwned(url);
    await migrate(url, migrateJobs);
    await ask(url, 'ALTER TABLE organizations ADD COLUMN later text; DROP EXTENSION IF EXISTS btree_gin');

    const old = new URL(await superuserAddress(join(dataDir, 'postgres'), url));
    expect(await ask(old.href, 'SELECT current_user::text AS name')).toEqual([{ name: 'service' }]);
    old.password = OLD_PASSWORD;
    await expect(ask(old.href, 'SELECT 1')).rejects.toThrow(/password authentication failed/);

    if (process.getuid?.() === 0) {
      const nobody = await initialUser({ uid: 1, gid: 1 });
      const { stdout } = await promisify(execFile)('find', [
        join(dataDir, 'postgres'),
        '-uid',
        String(nobody?.uid),
      ]);
      expect(stdout).toBe('');
    }
    await running[0]?.end();
    expect(await ask(await start(), 'SELECT name FROM organizations')).toEqual([{ name: 'Kept' }]);
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

/** What the first release left behind in `dataDir`: one role, the superuser, and as root a server run by `nobody`. */
async function makeFolderOfFirstRelease(dataDir: string): Promise<void> {
  const home = join(dataDir, 'postgres');
  const folder = join(home, 'data');
  const user = await initialUser(await serverUserFor(home));
  const binaries = await findBinaries(user, dataDir);
  const give = async (path: string, mode: number): Promise<void> => {
    if (user !== null) await chown(path, user.uid, user.gid);
    await chmod(path, mode);
  };
  await mkdir(folder, { recursive: true });
  await writeFile(join(home, 'password'), OLD_PASSWORD);
  for (const [path, mode] of [
    [home, 0o700],
    [folder, 0o700],
    [join(home, 'password'), 0o600],
  ] as const)
    await give(path, mode);
  await promisify(execFile)(
    binaries.initdb,
    [
      ...['-D', folderArgument(user, folder), '-U', 'service'],
      ...['--pwfile', user === null ? join(home, 'password') : '../password'],
      ...['--auth=scram-sha-256', '--encoding=UTF8', '--data-checksums', '--no-instructions'],
      ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'],
    ],
    { ...runAs(user), cwd: folder },
  );
  const socket = await SocketFolder.open(folder, user, () => undefined);
  const server = await Postmaster.start({ binaries, user, folder, socket, settings: {} });
  const url = socket.addressOf('service', OLD_PASSWORD);
  await migrate(url, migrateJobs);
  await ask(
    url,
    `INSERT INTO organizations (id, name) VALUES ('6f0c7f36-3c4b-4c1f-9d8e-0c8f5f5a7b11', 'Kept')`,
  );
  await server.stop();
}
