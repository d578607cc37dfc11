import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DataDir } from '../../../src/data-dir';
import { examineInstallation, type Finding, hasFailed, reportOf } from '../../../src/operations/doctor';
import { namespaceProblem } from '../../../src/drivers/launch/namespaces';
import { StubAgentServer } from '../../support/agent-server/stub-agent-server';
import { CliProcess, runHere } from '../../support/backup/cli-process';
import { ask } from '../../support/database/ask';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { startSmtpSink } from '../../support/invitations/smtp-sink';
import { startTestApp } from '../../support/service/app';
import { freePort } from '../../support/service/free-port';
import { SUPERUSER_URL_VARIABLE } from '../../support/service/test-server';

const SECRET_KEY = 'a-secret-key-of-tests-0123456789';
const run = promisify(execFile);

describe('the doctor', () => {
  let folder: string;
  let database: TestDatabase;
  let port: number;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'doctor-'));
    database = await createTestDatabase();
    await ask(database.url, 'DELETE FROM secret_check');
    port = await freePort();
  });
  afterEach(async () => {
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  const settings = (env: Readonly<Record<string, string>> = {}): Record<string, string> => ({
    DATABASE_URL: database.url,
    SECRET_KEY,
    DATA_DIR: folder,
    PORT: `${port}`,
    ...env,
  });

  /** The findings of one check that are not ok. */
  async function wrong(check: string, env: Readonly<Record<string, string>> = {}): Promise<Finding[]> {
    const findings = await examineInstallation(settings(env));
    return findings.filter((finding) => finding.check === check && finding.state !== 'ok');
  }

  const finding = (state: 'warn' | 'fail', says: RegExp, change: RegExp): object => ({
    state,
    says: expect.stringMatching(says) as string,
    change: expect.stringMatching(change) as string,
  });

  it('names the packages without which sandboxes of this host are not kept apart', async () => {
    const says = async (env: Readonly<Record<string, string>>): Promise<string> =>
      (await CliProcess.start(['doctor'], settings({ PATH: folder, ...env })).ended).output;
    const embedded = await says({});
    expect(embedded).toMatch(
      /^warn +sandboxes .* without commands, .* bwrap \(of bubblewrap\), pasta \(of passt\)/m,
    );
    const processes = await says({ SANDBOX_DRIVER: 'process' });
    expect(processes).toMatch(/^fail +sandboxes .* bwrap \(of bubblewrap\), pasta \(of passt\)/m);
    expect(processes).toContain('SANDBOX_ISOLATION=none');
  });

  it('finds nothing wrong with an installation that works, and says so in a line each', async () => {
    const mail = await startSmtpSink();
    try {
      const env = settings({ SMTP_URL: mail.url, MAIL_FROM: 'service@example.com' });
      const findings = await examineInstallation(env);
      expect(findings.filter(({ state }) => state === 'fail')).toEqual([]);
      expect(hasFailed(findings)).toBe(false);
      expect(findings.map(({ check }) => check)).toEqual(
        expect.arrayContaining([
          'settings',
          'data folder',
          'disk',
          'database',
          'clock',
          'schema',
          'mail',
          'git',
        ]),
      );
      expect(reportOf(findings).split('\n')[0]).toMatch(/^ok {4}settings +The settings can be read\.$/);
      expect(mail.received).toEqual([]);
    } finally {
      await mail.close();
    }
  });

  it('ends with 1 when something does not work, and prints lines or JSON', async () => {
    const env = settings({ SECRET_KEY: 'short' });
    const lines = await CliProcess.start(['doctor'], env).ended;
    expect(lines).toMatchObject({ code: 1, errors: '' });
    expect(lines.output).toMatch(/^fail {2}settings {2}SECRET_KEY: must have at least 32 characters/);
    const json = await CliProcess.start(['doctor', '--format', 'json'], env).ended;
    expect(json.code).toBe(1);
    expect(JSON.parse(json.output)).toMatchObject({ findings: [{ check: 'settings', state: 'fail' }] });
  });

  describe('of the data folder', () => {
    it('says that it cannot be made', async () => {
      expect(await wrong('data folder', { DATA_DIR: '/dev/null/data' })).toMatchObject([
        finding('fail', /^DATA_DIR \/dev\/null\/data cannot be written/, /set DATA_DIR to another folder/),
      ]);
    });

    const isRoot = process.getuid?.() === 0;
    (isRoot ? it : it.skip)('says that its disk is full', async () => {
      const small = join(folder, 'small');
      await mkdir(small);
      await run('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', small]);
      try {
        expect(await wrong('disk', { DATA_DIR: small })).toMatchObject([
          finding('fail', /^1 MiB are free on the disk of DATA_DIR/, /^Free space/),
        ]);
      } finally {
        await run('umount', [small]);
      }
    });
  });

  describe('of the database', () => {
    it('says that it cannot be reached', async () => {
      const url = `postgres://nobody:secret@127.0.0.1:${port}/none`;
      const [found, ...others] = await wrong('database', { DATABASE_URL: url });
      expect(others).toEqual([]);
      expect(found).toMatchObject(
        finding(
          'fail',
          /^The database at 127\.0\.0\.1:\d+\/none cannot be used: .+\.$/,
          /Correct DATABASE_URL/,
        ),
      );
      expect(JSON.stringify(found)).not.toContain('secret@');
    });

    it('says that it is read-only', async () => {
      const name = new URL(database.url).pathname.slice(1);
      await ask(database.url, `ALTER DATABASE ${name} SET default_transaction_read_only = on`);
      expect(await wrong('writing')).toMatchObject([finding('fail', /is read-only/, /primary server/)]);
    });

    it('says that the role has no rights, and few connections', async () => {
      const superuser = process.env[SUPERUSER_URL_VARIABLE] ?? '';
      const role = `doctor_${process.pid}`;
      await ask(superuser, `CREATE ROLE ${role} LOGIN PASSWORD 'doctor' CONNECTION LIMIT 9`);
      try {
        const url = new URL(database.url);
        Object.assign(url, { username: role, password: 'doctor' });
        const env = { DATABASE_URL: url.href };
        await ask(database.url, `GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${role}`);
        expect(await wrong('rights', env)).toMatchObject([finding('fail', /may not make tables/, /owner/)]);
        expect(await wrong('connections', env)).toMatchObject([
          finding('warn', /^\d connections to the database are free/, /max_connections/),
        ]);
      } finally {
        await ask(database.url, `DROP OWNED BY ${role}`).catch(() => undefined);
        await database.drop();
        await ask(superuser, `DROP ROLE ${role}`);
      }
    });

    it('says that its schema is older, newer, or half restored', async () => {
      await ask(database.url, `DELETE FROM schema_migrations WHERE name LIKE 'Baseline%'`);
      expect(await wrong('schema')).toMatchObject([
        finding('warn', /^The next start runs 1 migration\./, /Back up before it/),
      ]);
      await ask(database.url, 'INSERT INTO schema_compatibility VALUES (29990101000001, 29990101000000)');
      expect(await wrong('schema')).toMatchObject([
        finding('fail', /^The database belongs to a newer build/, /^Start the newer one/),
      ]);
      await ask(database.url, 'CREATE TABLE unfinished_restore (began_at timestamptz)');
      expect(await wrong('schema')).toMatchObject([
        finding('fail', /^A restore of this database has begun/, /^Run it again/),
      ]);
    });

    it('says that SECRET_KEY is another one', async () => {
      await runHere(['migrate'], settings());
      expect(await wrong('secret key')).toEqual([]);
      expect(await wrong('secret key', { SECRET_KEY: 'quite-another-key-of-tests-987654321' })).toMatchObject(
        [finding('fail', /^SECRET_KEY is not the key/, /SECRET_KEYS_OLD/)],
      );
    });

    it('says that the file of the key is lost, and where it was', async () => {
      const DATA_DIR = join(folder, 'embedded');
      const env = { DATA_DIR, PORT: `${port}` };
      await runHere(['migrate'], env);
      await rm(join(DATA_DIR, DataDir.SECRET_KEY));
      const lost = (await examineInstallation(env)).filter(({ check }) => check === 'secret key');
      expect(lost).toMatchObject([
        {
          ...finding('fail', /has no secret\.key, with which/, /^Put it back, or set SECRET_KEY/),
          says: expect.stringContaining(DATA_DIR) as string,
        },
      ]);
    });

    it('finds nothing wrong with one that is empty', async () => {
      const empty = await createEmptyDatabase();
      try {
        const findings = await examineInstallation(settings({ DATABASE_URL: empty.url }));
        expect(findings.filter(({ state }) => state === 'fail')).toEqual([]);
        expect(findings).toContainEqual({
          check: 'secret key',
          state: 'ok',
          says: 'The database has no secrets yet.',
        });
      } finally {
        await empty.drop();
      }
    });

    it('names the setting whose address cannot be reached', async () => {
      const DATABASE_DIRECT_URL = database.url.replace(/@.*?\//, `@127.0.0.1:${port}/`);
      const cannot = /^The database at 127\.0\.0\.1:\d+\/\w+ cannot be used: connect ECONNREFUSED .+\.$/;
      for (const check of ['schema', 'notifications'])
        expect(await wrong(check, { DATABASE_DIRECT_URL })).toMatchObject([
          finding('fail', cannot, /^Correct DATABASE_DIRECT_URL, or what it leads to\.$/),
        ]);
    });

    it('says that notifications do not come', async () => {
      const other = await createEmptyDatabase();
      try {
        expect(await wrong('notifications', { DATABASE_DIRECT_URL: other.url })).toMatchObject([
          finding('fail', /do not arrive/, /^Set DATABASE_DIRECT_URL/),
        ]);
      } finally {
        await other.drop();
      }
    });
  });

  describe('of the mail server', () => {
    const MAIL_FROM = 'service@example.com';

    it('says that it does not answer', async () => {
      expect(await wrong('mail', { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM })).toMatchObject([
        finding('fail', /cannot be used: connect ECONNREFUSED/, /^Correct host and port in SMTP_URL/),
      ]);
    });

    it('says that it refuses the password, without repeating it', async () => {
      const sink = await startSmtpSink({
        onAuth: (_auth, _session, callback) => callback(new Error('Wrong password')),
      });
      try {
        const SMTP_URL = `smtp://user:the-password@127.0.0.1:${sink.port}`;
        const found = await wrong('mail', { SMTP_URL, MAIL_FROM });
        expect(found).toMatchObject([finding('fail', /cannot be used/, /^Correct user and password/)]);
        expect(JSON.stringify(found)).not.toContain('the-password');
      } finally {
        await sink.close();
      }
    });

    it('says that it speaks no TLS', async () => {
      const sink = await startSmtpSink();
      try {
        const SMTP_URL = `smtps://127.0.0.1:${sink.port}`;
        expect(await wrong('mail', { SMTP_URL, MAIL_FROM })).toMatchObject([
          finding('fail', /cannot be used/, /^Correct smtp:\/\/ or smtps:\/\//),
        ]);
      } finally {
        await sink.close();
      }
    });
  });

  describe('of git', () => {
    const path = process.env.PATH;
    afterEach(() => {
      process.env.PATH = path;
    });

    it('says that there is none, or an old one', async () => {
      process.env.PATH = folder;
      expect(await wrong('git')).toMatchObject([finding('warn', /this service has no git/, /Install it/)]);
      const old = join(folder, 'git');
      await writeFile(old, '#!/bin/sh\necho git version 2.30.9\n');
      await chmod(old, 0o755);
      expect(await wrong('git')).toMatchObject([finding('warn', /has git 2\.30\.9, and needs/, /PATH/)]);
    });
  });

  describe('of what sandboxes run on', () => {
    const ofProcess = (AGENT_SERVER_COMMAND: string) => ({
      SANDBOX_DRIVER: 'process',
      SANDBOX_ISOLATION: 'none',
      AGENT_SERVER_COMMAND,
    });

    // Users of sandboxes enter it.
    beforeEach(() => chmod(folder, 0o755));

    it('says that the agent server is not installed, or does not run', async () => {
      expect(await wrong('sandboxes', ofProcess('true'))).toEqual([]);
      expect(await wrong('sandboxes', ofProcess('no-such-agent-server'))).toMatchObject([
        finding('fail', /there is no program no-such-agent-server in PATH/, /^Install the agent server/),
      ]);
      expect(await wrong('sandboxes', ofProcess('false'))).toMatchObject([
        finding('fail', /^false does not run/, /^Install the agent server/),
      ]);
    });

    (process.getuid?.() === 0 && namespaceProblem() === null ? it : it.skip)(
      'says that users of sandboxes cannot run the Python of the agent server',
      async () => {
        const closed = join(folder, 'of-root');
        const environment = join(folder, 'environment');
        const program = join(environment, 'bin', 'agent-server');
        for (const made of [join(closed, 'python', 'bin'), join(environment, 'bin')])
          await mkdir(made, { recursive: true });
        await writeFile(join(environment, 'pyvenv.cfg'), `home = ${join(closed, 'python', 'bin')}\n`);
        await writeFile(program, '#!/bin/sh\n');
        await chmod(program, 0o755);
        expect(await wrong('sandboxes', ofProcess(program))).toEqual([]);
        await chmod(closed, 0o700);
        expect(await wrong('sandboxes', ofProcess(program))).toMatchObject([
          finding(
            'fail',
            /^Users of sandboxes cannot enter .*\/of-root, .*AGENT_SERVER_COMMAND/,
            /^Open it \(chmod o\+x .*\/of-root\)/,
          ),
        ]);
      },
    );

    it('says that an external agent server does not answer, or does not take the key', async () => {
      const server = await StubAgentServer.start();
      const env = { SANDBOX_DRIVER: 'external', AGENT_SERVER_URL: server.url, AGENT_SERVER_API_KEY: 'key' };
      try {
        server.answer('GET /health', '"OK"');
        expect(await wrong('sandboxes', env)).toEqual([]);
        server.answer('GET /api/conversations/00000000-0000-0000-0000-000000000000', { detail: 'No' }, 401);
        expect(await wrong('sandboxes', env)).toMatchObject([
          finding('fail', /does not take the key/, /^Set AGENT_SERVER_API_KEY/),
        ]);
      } finally {
        await server.close();
      }
      expect(await wrong('sandboxes', env)).toMatchObject([
        finding('fail', /^No agent server answers at/, /correct AGENT_SERVER_URL/),
      ]);
    });

    it('says that a container engine does not answer', async () => {
      const env = {
        SANDBOX_DRIVER: 'docker',
        SANDBOX_IMAGE: 'image',
        DOCKER_HOST: `unix://${folder}/none.sock`,
      };
      expect(await wrong('sandboxes', env)).toMatchObject([
        finding('fail', /^No answer from the container engine/, /^Start it, or correct DOCKER_HOST/),
      ]);
    });
  });

  describe('of extensions', () => {
    it('says that one cannot be loaded, and goes on', async () => {
      const EXTENSIONS = join(folder, 'none.js');
      const env = { EXTENSIONS, SANDBOX_DRIVER: 'of-an-extension' };
      expect(await wrong('extensions', env)).toMatchObject([
        finding('fail', /none\.js cannot be loaded: Cannot find module/, /^Correct EXTENSIONS/),
      ]);
      expect((await examineInstallation(settings(env))).map(({ check }) => check)).toContain('database');
    });

    it('knows their drivers, and that no other has one', async () => {
      const EXTENSIONS = join(folder, 'machines.js');
      await writeFile(EXTENSIONS, `exports.default = { name: 'acme', sandboxDrivers: ['machines'] };\n`);
      expect(await wrong('settings', { EXTENSIONS, SANDBOX_DRIVER: 'machines' })).toEqual([]);
      expect(await wrong('settings', { EXTENSIONS, SANDBOX_DRIVER: 'dcoker' })).toMatchObject([
        finding('fail', /^SANDBOX_DRIVER: there is no driver dcoker/, /^Correct it/),
      ]);
    });
  });

  it('tells of what it could not look at, beside all that it could', async () => {
    // Without a name server it is not even known whether there is such a host.
    const findings = await examineInstallation(settings({ HOST: 'none.invalid' }));
    expect(findings.filter(({ check }) => check === 'port')).toMatchObject([{ state: 'fail' }]);
    expect(findings.map(({ check }) => check)).toContain('git');
  });

  it('makes nothing, also where the folder is lost', async () => {
    await runHere(['migrate'], settings());
    const before = await readdir(folder, { recursive: true });
    for (const DATA_DIR of [folder, join(folder, 'lost')]) await examineInstallation(settings({ DATA_DIR }));
    expect(await readdir(folder, { recursive: true })).toEqual(before);
  });

  describe('of addresses', () => {
    it('says that something else listens on the port', async () => {
      const other = createServer((_, response) => response.end('hello'));
      await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
      try {
        const PORT = `${(other.address() as AddressInfo).port}`;
        expect(await wrong('port', { PORT })).toMatchObject([
          finding('fail', /what answers there \(200\) is not this service/, /is in use\. Stop what listens/),
        ]);
      } finally {
        await new Promise((resolve) => other.close(resolve));
      }
    });

    it('says that an address does not lead to the service that runs', async () => {
      const app = await startTestApp({ database, port, env: { APP_ROLE: 'api' } });
      try {
        expect(await wrong('PUBLIC_URL')).toEqual([]);
        const PUBLIC_URL = `http://127.0.0.1:${await freePort()}`;
        expect(await wrong('PUBLIC_URL', { PUBLIC_URL })).toMatchObject([
          finding(
            'warn',
            /does not lead to the service from here: connect ECONNREFUSED/,
            /^Correct PUBLIC_URL/,
          ),
        ]);
        const CALLBACK_URL = PUBLIC_URL;
        expect(await wrong('CALLBACK_URL', { CALLBACK_URL })).toMatchObject([
          finding('warn', /does not lead to the service/, /^Correct CALLBACK_URL/),
        ]);
      } finally {
        await app.close();
      }
    });
  });
});
