import { randomUUID } from 'node:crypto';
import { access, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConversationService, StartTask } from '../../support/service/conversation-service';
import { deletionOf, skillsFor, startOf } from '../../support/agent-server/agent-server-calls';
import { DoubledService } from '../../support/agent-server/doubled-service';
import { eventually } from '../../support/eventually';
import { makeCaller, makeOrg } from '../../support/service/factories';
import { TestGitServer } from '../../support/git/git-server';

interface StartCall {
  readonly conversation_id: string;
  readonly plugins?: unknown;
  readonly workspace: { readonly working_dir: string };
  readonly agent: { readonly agent_context: { readonly registered_marketplaces: unknown } };
}

describe('the stages of a start', () => {
  let folder: string;
  let git: TestGitServer;
  let doubled: DoubledService;
  let service: ConversationService;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stages-'));
    git = await TestGitServer.start();
    doubled = await DoubledService.start({ GIT_ALLOWED_HOSTS: git.host }, folder);
    ({ service } = doubled);
    const repository = await git.repository('shop', { 'README.md': 'main' });
    await repository.commit({ 'README.md': 'branch' }, 'feature/x');
  });

  let id: string;
  beforeEach(() => {
    doubled.double.heal();
    id = randomUUID();
  });

  afterAll(async () => {
    await doubled.close();
    await git.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Starts the conversation of the test. */
  async function started(request: Record<string, unknown>): Promise<StartTask> {
    return service.ended((await service.begin({ conversation_id: id, ...request })).id);
  }

  function startCall(): StartCall | undefined {
    const [call] = doubled.double.arrived(startOf(id));
    return call && (JSON.parse(call.body) as StartCall);
  }

  /** A path of the folder the conversation was started in. */
  function inWorkspace(path: string): string {
    return join(folder, startCall()?.workspace.working_dir ?? '', path);
  }

  it.each([
    [null, 'main'],
    ['feature/x', 'branch'],
  ])('clone the repository at the branch %s', async (selected_branch, content) => {
    const task = await started({ selected_repository: git.url('shop'), selected_branch });
    expect(task).toMatchObject({ status: 'READY', detail: null });
    expect(await readFile(inWorkspace('README.md'), 'utf8')).toBe(content);
  });

  it.each([
    ['a branch that is not there', 'shop', 'no-such-branch', 'no-such-branch'],
    ['a branch that looks like an option', 'shop', '--upload-pack=touch x', 'could not be cloned'],
    ['a branch with quotes', 'shop', `x'; touch "$HOME/x`, 'could not be cloned'],
    ['a repository that is not there', 'nothing', null, 'not found'],
  ])("end in ERROR with git's reason for %s", async (_, name, selected_branch, reason) => {
    const task = await started({ selected_repository: git.url(name), selected_branch });
    expect(task.status).toBe('ERROR');
    expect(task.detail).toContain('The repository could not be cloned');
    expect(task.detail).toContain(reason);
    expect(startCall()).toBeUndefined();
  });

  it.each([
    'acme',
    'http://example.com/a/b',
    'https://user:secret@example.com/a/b',
    'file:///etc/passwd',
    'https://10.0.0.1/a/b',
    'ssh://git@example.com/a/b',
    'https://example.com/a/..%2fb',
    'https://github.com/acme/shop/tree/main',
    'https://localhost/a/b',
  ])(
    'are none for the repository %s, which is refused before anything is made',
    async (selected_repository) => {
      const { db } = doubled.service.app;
      const made = async () =>
        db.query<unknown[]>(
          'SELECT (SELECT count(*) FROM conversations) c, (SELECT count(*) FROM start_tasks) t, (SELECT count(*) FROM sandboxes) s',
        );
      const before = await made();
      const refused = await doubled.service.call('POST', '/api/v1/app-conversations', {
        body: { selected_repository },
      });
      expect(refused).toMatchObject({ status: 400, body: { code: 'repository_address_invalid' } });
      expect(JSON.stringify(refused.body)).not.toContain('secret');
      expect(await made()).toEqual(before);
    },
  );

  it("are none for a short name whose host, as its user's credential says, is not cloned from", async () => {
    const body = {
      url_prefix: 'http://git.acme.example/',
      username: 'bot',
      password: 'p',
      git_provider: 'gitlab',
    };
    const path = '/api/v1/git/credentials';
    const made = await service.call<{ id: string }>('POST', path, { body });
    const refused = await service.call('POST', '/api/v1/app-conversations', {
      body: { selected_repository: 'acme/shop', git_provider: 'gitlab' },
    });
    expect(refused).toMatchObject({ status: 400, body: { code: 'repository_address_invalid' } });
    await service.call('DELETE', `${path}/${made.body.id}`);
  });

  it("run the repository's setup script and install its git hook", async () => {
    await git.repository('scripts', {
      '.openhands/setup.sh': 'echo ready > made-by-setup',
      '.openhands/pre-commit.sh': '#!/bin/sh\nexit 1\n',
    });
    expect(await started({ selected_repository: git.url('scripts') })).toMatchObject({
      status: 'READY',
      detail: null,
    });
    expect(await readFile(inWorkspace('made-by-setup'), 'utf8')).toBe('ready\n');
    expect((await stat(inWorkspace('.git/hooks/pre-commit'))).mode & 0o111).not.toBe(0);
  });

  it('make its user the author of commits, as the settings say', async () => {
    const author = (git_user_name: string | null, git_user_email: string | null) =>
      service.call('POST', '/api/v1/settings', { body: { git_user_name, git_user_email } });
    await author("Robin O'Neil", 'robin@localhost.example');
    expect(await started({ selected_repository: git.url('shop') })).toMatchObject({ detail: null });
    const config = await readFile(inWorkspace('.git/config'), 'utf8');
    expect(config).toContain("name = Robin O'Neil");
    expect(config).toContain('email = robin@localhost.example');
    await author(null, null);
  });

  it('go on after a setup script that fails, and say so', async () => {
    await git.repository('broken', { '.openhands/setup.sh': 'echo no luck >&2; exit 3' });
    const task = await started({ selected_repository: git.url('broken') });
    expect(task.status).toBe('READY');
    expect(task.detail).toBe('The setup script failed: no luck');
    await expect(access(inWorkspace('.git/hooks/pre-commit'))).rejects.toThrow('ENOENT');
  });

  it('give the agent server the composed marketplaces without scope, and note what was left out', async () => {
    const registrations = [
      { name: 'one', source: 'gitlab:acme/one', ref: 'v1', auto_load: true },
      { name: 'local', source: 'some/folder' },
    ];
    const save = (body: unknown) => service.call('POST', '/api/organizations/app', { body });
    const saved = await save({ registered_marketplaces: registrations, max_budget_per_task: 2.5 });
    expect(saved.status).toBe(200);
    const task = await started({});
    await save({ registered_marketplaces: [], max_budget_per_task: null });
    expect(task.status).toBe('READY');
    expect(task.detail).toContain('local');
    const body = startCall();
    expect(body).toMatchObject({ max_budget_per_task: 2.5 });
    expect(body?.agent.agent_context.registered_marketplaces).toEqual([
      { name: 'one', source: 'https://gitlab.com/acme/one.git', ref: 'v1', repo_path: null, auto_load: true },
    ]);
  });

  it('leave out a plugin that the agent server cannot fetch, and note it', async () => {
    const task = await started({
      plugins: [{ source: 'ssh://git@git.example:22/a/b' }, { source: './plugins/own' }],
    });
    expect(task).toMatchObject({
      status: 'READY',
      detail: expect.stringContaining(
        'Plugin ssh://git@git.example:22/a/b was left out: the sandbox does not take ssh addresses with a port.',
      ) as string,
    });
    expect(startCall()?.plugins).toEqual([{ source: './plugins/own', ref: null, repo_path: null }]);
  });

  it('go on without skills that the agent server fails to read, and note it', async () => {
    doubled.double.fail({ kind: 'status', status: 500, stored: false }, skillsFor(id), Infinity);
    const task = await started({});
    expect(task).toMatchObject({
      status: 'READY',
      detail: expect.stringContaining('Skills could not be loaded:') as string,
    });
  });

  it('are tried again while the agent server fails, and succeed when it is back', async () => {
    doubled.double.fail({ kind: 'status', status: 503, stored: false }, startOf(id), 2);
    expect((await started({})).status).toBe('READY');
  });

  it('end in ERROR when the agent server refuses the start', async () => {
    doubled.double.fail({ kind: 'status', status: 422, stored: false, detail: 'No such thing' }, startOf(id));
    const task = await started({ initial_message: { content: [{ type: 'text', text: 'x' }] } });
    expect(task.status).toBe('ERROR');
    expect(task.detail).toContain('No such thing');
  });

  it('end in ERROR when their time is over', async () => {
    doubled.holdStart(id);
    const task = await service.begin({ conversation_id: id });
    await eventually(async () => {
      const [now] = (
        await service.call<StartTask[]>('GET', `/api/v1/app-conversations/start-tasks?ids=${task.id}`)
      ).body;
      expect(now?.status).toBe('STARTING_CONVERSATION');
    });
    await service.app.db.query('UPDATE start_tasks SET deadline_at = now() WHERE id = $1', [task.id]);
    const ended = await service.ended(task.id);
    expect(ended.status).toBe('ERROR');
    expect(ended.detail).not.toBeNull();
    const [row] = await service.app.db.query<{ sealed_secrets: string | null; start_state: string }[]>(
      `SELECT t.sealed_secrets, c.start_state FROM start_tasks t JOIN conversations c ON c.id = t.conversation_id
        WHERE t.id = $1`,
      [task.id],
    );
    expect(row).toEqual({ sealed_secrets: null, start_state: 'failed' });
  });

  it('end in ERROR when the sandbox goes while it starts', async () => {
    const caller = await makeCaller(service.app.db, (await makeOrg(service.app.db)).id);
    const { sandboxId } = await doubled.conversation({ owner: caller, sandbox: { status: 'STARTING' } });
    const task = await service.begin({ sandbox_id: sandboxId }, { key: caller.key });
    await service.app.db.query(`UPDATE sandboxes SET status = 'MISSING' WHERE id = $1`, [sandboxId]);
    const ended = await eventually(async () => {
      const path = `/api/v1/app-conversations/start-tasks?ids=${task.id}`;
      const [now] = (await service.call<StartTask[]>('GET', path, { key: caller.key })).body;
      expect(now?.status).toBe('ERROR');
      return now;
    });
    expect(ended?.detail).toBe('The sandbox is gone.');
  });

  it.each([
    [{}, 'Failed start'],
    [{ selected_repository: 'acme/shop' }, 'Failed start of acme/shop'],
    [{ selected_repository: 'acme/shop', title: 'Mine' }, 'Mine'],
  ])('leave a conversation of %j that failed with a title', async (request, title) => {
    const { sandboxId } = await doubled.conversation({ sandbox: { status: 'STARTING' } });
    const task = await service.begin({ ...request, sandbox_id: sandboxId });
    await service.app.db.query(`UPDATE sandboxes SET status = 'MISSING' WHERE id = $1`, [sandboxId]);
    expect((await service.ended(task.id)).status).toBe('ERROR');
    const found = await service.call<{ items: { title: string }[] }>(
      'GET',
      `/api/v1/app-conversations/search?sandbox_id__eq=${sandboxId}`,
    );
    const titles = found.body.items.map((item) => item.title);
    expect(titles).toContain(title);
  });

  it('end with the conversation when it is deleted meanwhile, and leave nothing at the agent server', async () => {
    const { sandboxId } = await doubled.conversation();
    let release: () => void = () => undefined;
    const until = new Promise<void>((resolve) => (release = resolve));
    doubled.double.fail({ kind: 'held', until }, startOf(id));
    const task = await service.begin({ conversation_id: id, sandbox_id: sandboxId });
    await eventually(() => expect(startCall()).toBeDefined());
    const deleted = await service.call('DELETE', `/api/v1/app-conversations/${id}`);
    expect(deleted.status).toBe(200);
    release();
    expect(await service.ended(task.id)).toMatchObject({
      status: 'ERROR',
      detail: 'The conversation was deleted.',
    });
    await eventually(() => {
      expect(doubled.double.arrived(deletionOf(id))).toHaveLength(1);
      expect(() => doubled.double.conversation(id)).toThrow();
    });
  });
});
