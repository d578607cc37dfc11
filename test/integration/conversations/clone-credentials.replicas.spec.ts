import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../../../src/kernel/database';
import { AgentServerDouble } from '../../support/agent-server/agent-server-double';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { eventually } from '../../support/eventually';
import { TestGitServer } from '../../support/git/git-server';
import { ConversationClient } from '../../support/service/conversation-client';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { ServiceProcess } from '../../support/service/service-process';

const PASSWORD = 'the-password-of-a-repository';
const WRONG = 'a-password-that-does-not-work';
const OF_INSTALLATION = 'a password of the installation, with ümlauts';
const SECRETS = [PASSWORD, WRONG, OF_INSTALLATION].flatMap((password) => [
  password,
  Buffer.from(`bot:${password}`).toString('base64'),
]);
const CLONE = '/api/v1/git/clone';
const REFS = `${CLONE}/info/refs?service=git-upload-pack`;

const run = promisify(execFile);

let folder: string;
let database: TestDatabase;
let db: DataSource;
let double: AgentServerDouble;
let git: TestGitServer;
let service: ServiceProcess;
let origin: string;
let admin: TestCaller;
let member: ConversationClient;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clone-credentials-'));
  database = await createTestDatabase();
  db = await createDataSource(database.url, 2).initialize();
  double = await AgentServerDouble.start({ folder });
  git = await TestGitServer.start();
  const installation = { url_prefix: `http://${git.host}/all`, username: 'bot', password: OF_INSTALLATION };
  service = ServiceProcess.start({
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    SECRET_KEY: 'a secret of this test, 0123456789',
    LOG_LEVEL: 'trace',
    LLM_MODEL: 'echo',
    GIT_ALLOWED_HOSTS: git.host,
    WEB_UI: 'off',
    SANDBOX_DRIVER: 'external',
    EXTERNAL_ORG_ID: '*',
    GIT_CREDENTIALS: JSON.stringify([installation]),
    AGENT_SERVER_URL: double.url,
    AGENT_SERVER_API_KEY: double.target.apiKey,
  });
  origin = new URL(await service.ready).origin;
  const org = await makeOrg(db);
  admin = await makeCaller(db, org.id, 'admin');
  member = new ConversationClient({ url: origin }, (await makeCaller(db, org.id)).key);
  for (const name of ['private/shop', 'private/other', 'all/tools'])
    await git.repository(name, { 'README.md': name });
});
afterAll(async () => {
  await service.discard();
  await Promise.all([git.close(), double.stop(), db.destroy()]);
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

/** Has the organization keep a credential while something is done. */
async function keeping<T>(password: string, work: () => Promise<T>): Promise<T> {
  const client = new ConversationClient({ url: origin }, admin.key);
  const path = `/api/organizations/${admin.orgId}/git-credentials`;
  const body = { url_prefix: `http://${git.host}/private`, username: 'bot', password };
  const made = await client.call<{ id: string }>('POST', path, { body });
  expect(made.status).toBe(201);
  try {
    return await work();
  } finally {
    await client.call('DELETE', `${path}/${made.body.id}`);
  }
}

/**
 * Starts a conversation, and looks on while the git of its sandbox waits for an answer.
 * @returns how the start ended, and what was seen
 */
async function cloning<T>(name: string, password: string, look: () => Promise<T>) {
  git.requests.length = 0;
  let releaseService: () => void = () => undefined;
  let releaseSandbox: () => void = () => undefined;
  const prefix = `/${name.split('/')[0]}`;
  const sent = () => git.requests.filter(({ authorization }) => authorization).length;
  git.behaviour = {
    auth: { prefix, username: 'bot', password },
    knownHeldUntil: new Promise((resolve) => (releaseService = resolve)),
  };
  const task = await member.begin({ selected_repository: git.url(name) });
  // The service looks where the repository is; on a machine that stands still it may look again.
  await eventually(() => expect(sent()).toBeGreaterThan(0));
  const ofService = sent();
  git.behaviour.knownHeldUntil = new Promise((resolve) => (releaseSandbox = resolve));
  releaseService();
  await eventually(() => expect(sent()).toBeGreaterThan(ofService));
  const seen = await look();
  releaseSandbox();
  return { seen, task: await member.ended(task.id) };
}

/** All that a sandbox's user can read of a clone that is going on: processes with their environments, and files. */
async function readable(): Promise<string> {
  const { stdout: processes } = await run('ps', ['-ww', 'e', '-eo', 'args'], { maxBuffer: 64 * 1024 * 1024 });
  const ofSandbox = processes.split('\n').filter((line) => !line.includes('GIT_CREDENTIALS='));
  const inFolder = await readdir(folder, { recursive: true, withFileTypes: true });
  // Where the agent server names its folder relative to itself, the ticket is in a folder of the machine.
  const logins = (await readdir('/tmp', { withFileTypes: true })).filter(({ name }) =>
    name.startsWith('.login-'),
  );
  const files = await Promise.all(
    [...inFolder, ...logins]
      .filter((entry) => entry.isFile())
      .map((entry) => readFile(join(entry.parentPath, entry.name), 'utf8').catch(() => '')),
  );
  return [...ofSandbox, ...files].join('\n');
}

const ask = (path: string, authorization: string, method = 'GET'): Promise<number> =>
  fetch(origin + path, { method, headers: { authorization } }).then(async (response) => {
    await response.arrayBuffer();
    return response.status;
  });

describe('a git credential of an organization or of the installation', () => {
  it.each([
    ['private/shop', PASSWORD],
    ['all/tools', OF_INSTALLATION],
  ])('clones %s, and does not enter the sandbox', async (name, password) => {
    const { seen, task } = await keeping(PASSWORD, () => cloning(name, password, readable));
    expect([task.status, task.detail]).toEqual(['READY', null]);
    expect(seen).toContain(git.url(name));
    expect(seen).toContain('Authorization: Bearer ');
    const afterwards = await readable();
    for (const secret of SECRETS) expect([seen, afterwards].join().includes(secret)).toBe(false);
    const files = await readdir(folder, { recursive: true });
    expect(files.filter((file) => basename(file).startsWith('.login'))).toEqual([]);
    const config = files.filter((file) => file.endsWith('.git/config'));
    const texts = await Promise.all(config.map((file) => readFile(join(folder, file), 'utf8')));
    expect(texts.filter((text) => text.includes(`url = ${git.url(name)}\n`))).toHaveLength(1);
    expect(texts.join()).not.toMatch(/clone|Bearer|login/);
  });

  it('is lent for fetching one repository, as long as its clone goes on', async () => {
    const { seen: ticket, task } = await keeping(PASSWORD, () =>
      cloning('private/shop', PASSWORD, async () => {
        const [, found = 'none'] =
          /extraHeader = "Authorization: (Bearer [^"]+)"/.exec(await readable()) ?? [];
        // Others than the one that waits are answered at once.
        git.behaviour.knownHeldUntil = Promise.resolve();
        expect(await ask(REFS, found)).toBe(200);
        expect(await ask(REFS, 'Bearer other')).toBe(401);
        // Not the last letter, which may stand for less than a byte.
        expect(
          await ask(
            REFS,
            found.replace(/.(?=.{8}$)/, (letter) => (letter === 'x' ? 'y' : 'x')),
          ),
        ).toBe(401);
        expect(await ask(REFS, '')).toBe(401);
        for (const path of [
          REFS.replace('upload', 'receive'),
          `${CLONE}/info/refs`,
          `${CLONE}/HEAD`,
          `${CLONE}/../private/other.git/info/refs?service=git-upload-pack`,
          `${CLONE}/..%2fother.git/info/refs?service=git-upload-pack`,
        ])
          expect([path, await ask(path, found)]).toEqual([path, 404]);
        for (const path of [`${CLONE}/git-receive-pack`, REFS])
          expect(await ask(path, found, 'POST')).toBe(404);
        // A later run has the start.
        await db.query(`UPDATE start_tasks SET fence = fence + 1 WHERE status = 'PREPARING_REPOSITORY'`);
        expect(await ask(REFS, found)).toBe(401);
        await db.query(`UPDATE start_tasks SET fence = fence - 1 WHERE status = 'PREPARING_REPOSITORY'`);
        return found;
      }),
    );
    expect(task.status).toBe('READY');
    expect(git.requests.every(({ url }) => url.startsWith('/private/shop.git/'))).toBe(true);
    git.requests.length = 0;
    await keeping(PASSWORD, async () => expect(await ask(REFS, ticket)).toBe(401));
    expect(git.requests).toEqual([]);
  });

  it('is lent to whoever has the ticket, however many wrong ones come from the same address', async () => {
    const { seen: statuses } = await keeping(PASSWORD, () =>
      cloning('private/shop', PASSWORD, async () => {
        const [, found = 'none'] =
          /extraHeader = "Authorization: (Bearer [^"]+)"/.exec(await readable()) ?? [];
        git.behaviour.knownHeldUntil = Promise.resolve();
        const wrong = (count: number) =>
          Promise.all(Array.from({ length: count }, () => ask(REFS, `Bearer ${randomUUID()}`)));
        while (!(await wrong(100)).includes(429)) continue;
        const more = wrong(200);
        // One that has not been asked with before, as each is at first.
        const right = await ask(`${CLONE}/git-upload-pack`, found, 'POST');
        return [right, ...new Set(await more)];
      }),
    );
    // It was taken: the server of the repository has no answer to nothing.
    expect(statuses).toEqual([502, 429]);
  });

  it('that does not work says so, before anything happens in the sandbox', async () => {
    git.behaviour = { auth: { prefix: '/private', username: 'bot', password: PASSWORD } };
    const task = await keeping(WRONG, async () =>
      member.ended((await member.begin({ selected_repository: git.url('private/shop') })).id),
    );
    expect([task.status, task.detail]).toEqual([
      'ERROR',
      'The repository could not be cloned: the repository asks for credentials that this service does not have for it.',
    ]);
  });

  it('is not used for what an address only seems to be below', async () => {
    git.requests.length = 0;
    git.behaviour = {};
    for (const trick of ['..%2f', '%2e%2e/', '..%252f', '%2E./', '..\\', './/', '..;/']) {
      const repository = `http://${git.host}/private/${trick}all/tools.git`;
      const body = { selected_repository: repository };
      expect(
        await keeping(PASSWORD, () => member.call('POST', '/api/v1/app-conversations', { body })),
      ).toMatchObject({
        status: 400,
        body: { code: 'repository_address_invalid' },
      });
    }
    expect(git.requests).toEqual([]);
  });

  it('is in no log', async () => {
    await eventually(() => expect(service.output).toContain(CLONE));
    const output = service.output + service.errors;
    for (const secret of SECRETS) expect(output.includes(secret)).toBe(false);
    expect(output).not.toContain('Bearer ');
  });
});

it('a redirect of the server is followed within what the credential is for', async () => {
  const clone = async (name: string, to: string) => {
    git.behaviour = {
      auth: { prefix: '/private', username: 'bot', password: PASSWORD },
      redirect: { from: `/private/${name}/`, to },
    };
    const task = await keeping(PASSWORD, async () =>
      member.ended((await member.begin({ selected_repository: `http://${git.host}/private/${name}` })).id),
    );
    return [task.status, task.detail];
  };
  git.requests.length = 0;
  // As GitLab answers for an address without `.git`, and GitHub for a renamed repository.
  expect(await clone('shop', '/private/shop.git/')).toEqual(['READY', null]);
  expect(await clone('renamed', `http://${git.host}/private/shop.git/`)).toEqual(['READY', null]);
  for (const elsewhere of [
    '/all/tools.git/',
    '/private/..%2fall/tools.git/',
    'http://other.example/private/shop.git/',
  ])
    expect(await clone('moved', elsewhere)).toEqual([
      'ERROR',
      'The repository could not be cloned: the server sends elsewhere, which is not followed.',
    ]);
  expect(git.requests.filter(({ url }) => !url.startsWith('/private/'))).toEqual([]);
});
