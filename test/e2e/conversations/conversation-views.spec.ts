import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hexOf } from '../../../src/kernel/common';
import { StubAgentServer } from '../../support/agent-server/stub-agent-server';
import { type DoubledConversation, DoubledService } from '../../support/agent-server/doubled-service';
import { makeCaller } from '../../support/service/factories';
import { type CallOptions, call, type ErrorBody } from '../../support/service/http';

const BASE = '/api/v1/app-conversations';
const VIEWS = [
  ['GET', 'skills'],
  ['GET', 'files'],
  ['GET', 'file?file_path=a.txt'],
  ['GET', 'git/changes'],
  ['GET', 'git/diff?path=a.txt'],
  ['POST', 'switch_profile', { profile_name: 'Fast' }],
  ['POST', 'switch_acp_model', { model: 'm' }],
] as const;

let doubled: DoubledService;
let root: string;
let server: StubAgentServer | null = null;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'views-'));
  doubled = await DoubledService.start({}, root);
});
afterAll(async () => {
  await doubled.close();
  await rm(root, { recursive: true, force: true });
});
afterEach(async () => {
  await server?.close();
  server = null;
});
beforeEach(() => {
  doubled.double.heal();
  doubled.double.calls.length = 0;
});

const view = <Body = ErrorBody>(method: string, id: string, rest: string, options: CallOptions = {}) =>
  doubled.service.call<Body>(method, `${BASE}/${id}/${rest}`, options);
/** What views have asked of the agent server; the service asks other things by itself. */
const asked = () =>
  doubled.double.calls
    .map(({ path }) => path)
    .filter((path) => /^\/api\/(?:bash|file|git|skills)|switch_/.test(path));

/** A conversation whose agent server answers what a test says. */
async function withStubServer(
  fields: DoubledConversation = {},
): Promise<{ id: string; server: StubAgentServer }> {
  server = await StubAgentServer.start();
  const { id } = await doubled.conversation({ ...fields, sandbox: { baseUrl: server.url } });
  return { id, server };
}

/** A conversation whose folder has files. */
async function withFiles(files: Readonly<Record<string, string>>): Promise<{ id: string; folder: string }> {
  const { id, sandboxId } = await doubled.conversation();
  const work = join(root, 'work', sandboxId);
  await doubled.service.app.db.query('UPDATE sandboxes SET working_dir = $1 WHERE id = $2', [
    work,
    sandboxId,
  ]);
  const folder = join(work, hexOf(id));
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return { id, folder };
}

describe('the views of a conversation', () => {
  it.each([
    ['acme/shop', ['acme/other', null, 'acme/third']],
    [null, ['acme/other', null]],
  ])('stay where its agent works, whatever the record of one with %j says later', async (started, later) => {
    const { service } = doubled;
    const { id, sandboxId } = await doubled.conversation({ selected_repository: started });
    await service.app.db.query('UPDATE sandboxes SET working_dir = $1 WHERE id = $2', ['/work', sandboxId]);
    const place = async (): Promise<unknown> =>
      (await service.call<{ workspace: unknown }>('GET', `/api/v1/app-conversations/${id}`)).body.workspace;
    const workingDir = `/work/${hexOf(id)}${started === null ? '' : '/shop'}`;
    expect(await place()).toEqual({ working_dir: workingDir });
    for (const selected_repository of later) {
      const path = `/api/v1/app-conversations/${id}`;
      const { status, body } = await service.call('PATCH', path, { body: { selected_repository } });
      expect([status, body]).toEqual([200, expect.objectContaining({ selected_repository })]);
      expect(await place()).toEqual({ working_dir: workingDir });
    }
  });

  it('list its files, without those of git, below any of its folders', async () => {
    const { id } = await withFiles({ 'shop/b.ts': 'b', 'a b.txt': 'a', '.git/config': 'c' });
    for (const path of ['', '?path=/workspace/project', '?path=.'])
      expect((await view('GET', id, `files${path}`)).body).toEqual(['a b.txt', 'shop/b.ts']);
    expect((await view('GET', id, 'files?path=/workspace/project/shop')).body).toEqual(['b.ts']);
    expect((await view('GET', id, 'files?path=/workspace/project/none')).body).toEqual([]);
  });

  it('know its folder, which its record names', async () => {
    const { id, folder } = await withFiles({ 'shop/b.ts': 'b' });
    const record = () => doubled.service.call<{ workspace: unknown }>('GET', `${BASE}/${id}`);
    expect((await record()).body.workspace).toEqual({ working_dir: folder });
    expect((await view('GET', id, `files?path=${folder}/shop`)).body).toEqual(['b.ts']);
    const { id: paused } = await doubled.conversation({ sandbox: { status: 'PAUSED' } });
    const { body } = await doubled.service.call<{ workspace: unknown }>('GET', `${BASE}/${paused}`);
    expect(body.workspace).toBeNull();
  });

  it('answer the text of a file, never as a page', async () => {
    const { id } = await withFiles({ 'a.html': '<script>alert(1)</script>' });
    const { status, body, headers } = await view('GET', id, 'file?file_path=/workspace/project/a.html');
    expect([status, body]).toEqual([200, '<script>alert(1)</script>']);
    expect(headers['content-type']).toContain('text/plain');
    expect([headers['x-content-type-options'], headers['content-security-policy']]).toEqual([
      'nosniff',
      'sandbox',
    ]);
    expect(await view('GET', id, 'file?file_path=/workspace/project/.agents_tmp/PLAN.md')).toMatchObject({
      status: 404,
      body: { code: 'file_not_found' },
    });
  });

  it.each([
    'files?path=/etc',
    'files?path=../..',
    'file?file_path=/etc/passwd',
    'file?file_path=/workspace/project/../../etc/passwd',
    'git/changes?path=/',
    'git/diff?path=/workspace/projects/a',
  ])('refuse %s, which is outside of its folder', async (rest) => {
    const { id } = await withFiles({});
    expect(await view('GET', id, rest)).toMatchObject({
      status: 400,
      body: { code: 'path_outside_workspace' },
    });
    expect(asked()).toEqual([]);
  });

  it('answer what its agent server says of its repository', async () => {
    const { id, server: git } = await withStubServer();
    // This agent server knows nothing of git yet.
    expect((await view('GET', id, 'git/changes')).body).toEqual([]);
    expect(await view('GET', id, 'git/diff?path=a.txt')).toMatchObject({
      status: 404,
      body: { code: 'file_not_found' },
    });
    const changes = [{ status: 'UPDATED', path: 'a.txt' }];
    git.answer('GET /api/git/changes', changes);
    git.answer('GET /api/git/diff', { modified: 'new', original: null });
    expect((await view('GET', id, 'git/changes?path=/workspace/project/shop')).body).toEqual(changes);
    expect((await view('GET', id, 'git/diff?path=/workspace/project/a%26b.txt')).body).toEqual({
      modified: 'new',
      original: null,
    });
    const asked = ['changes', 'diff'].map((name) => {
      const last = git.arrived(`GET /api/git/${name}`).at(-1);
      return new URL(last?.path ?? '', git.url).searchParams.get('path');
    });
    expect(asked).toEqual([
      expect.stringMatching(new RegExp(`/${hexOf(id)}/shop$`)),
      expect.stringMatching(new RegExp(`/${hexOf(id)}/a&b.txt$`)),
    ]);
  });

  it('answer its skills, of the repository that it works on', async () => {
    const { id, server: agent } = await withStubServer({ selected_repository: 'acme/shop.git' });
    const skill = { name: 'lint', type: 'knowledge', content: 'Lint.', triggers: ['lint'] };
    agent.answer('POST /api/skills', { skills: [{ ...skill, source: '/some/place' }] });
    expect((await view('GET', id, 'skills')).body).toEqual({ skills: [skill] });
    expect(JSON.parse(agent.arrived('POST /api/skills')[0]?.body ?? '')).toMatchObject({
      load_project: true,
      load_public: false,
      project_dir: expect.stringMatching(new RegExp(`/${hexOf(id)}/shop$`)) as string,
    });
  });

  it('have it go on with the model of a profile', async () => {
    const { id, server: agent } = await withStubServer();
    const profile = { llm: { model: 'fast/model', api_key: 'sk-of-the-profile' } };
    await doubled.service.call('POST', '/api/v1/settings/profiles/Fast', { body: profile });
    const switchTo = (name: string) => view('POST', id, 'switch_profile', { body: { profile_name: name } });
    expect(await switchTo('None')).toMatchObject({ status: 404, body: { code: 'profile_not_found' } });
    const route = `POST /api/conversations/${id}/switch_llm`;
    expect(agent.arrived(route)).toEqual([]);
    expect(await switchTo('Fast')).toMatchObject({ status: 409, body: { code: 'model_not_switched' } });
    agent.answer(route, { success: true });
    expect(await switchTo('Fast')).toMatchObject({ status: 200, body: { success: true } });
    const sent = JSON.parse(agent.arrived(route).at(-1)?.body ?? '') as { llm: { usage_id: string } };
    expect(sent).toMatchObject({ llm: { model: 'fast/model', api_key: 'sk-of-the-profile' } });
    expect(sent.llm.usage_id).not.toBe('agent');
  });

  it('have an agent of another protocol go on with another model', async () => {
    const { id, server: agent } = await withStubServer();
    const switchTo = (model: string) => view('POST', id, 'switch_acp_model', { body: { model } });
    expect(await switchTo('m')).toMatchObject({ status: 409, body: { code: 'model_not_switched' } });
    const route = `POST /api/conversations/${id}/switch_acp_model`;
    agent.answer(route, { success: true });
    expect((await switchTo('m')).status).toBe(200);
    expect(agent.arrived(route).at(-1)?.body).toBe('{"model":"m"}');
    expect((await switchTo('')).status).toBe(422);
  });

  it.each([
    [{ status: 'PAUSED' }, 409, 'sandbox_not_running'],
    [{ status: 'STARTING', isClaimed: true }, 409, 'sandbox_not_running'],
    [{ status: 'MISSING' }, 410, 'conversation_archived'],
    [{ status: 'ERROR' }, 503, 'sandbox_error'],
  ])('are refused where the sandbox is %j: %s', async (sandbox, status, code) => {
    const { id } = await doubled.conversation({ sandbox });
    for (const [method, rest, body] of VIEWS)
      expect(await view(method, id, rest, body && { body })).toMatchObject({ status, body: { code } });
    expect(asked()).toEqual([]);
  });

  it('are those of its creator only', async () => {
    const { id } = await withFiles({ 'a.txt': 'a' });
    const { db } = doubled.service.app;
    for (const { key } of [
      await makeCaller(db, doubled.service.owner.orgId, 'owner'),
      await makeCaller(db, doubled.service.owner.orgId),
    ])
      for (const [method, rest, body] of VIEWS)
        expect(
          await call<ErrorBody>(doubled.service.app, method, `${BASE}/${id}/${rest}`, {
            key,
            ...(body && { body }),
          }),
        ).toMatchObject({ status: 404, body: { code: 'conversation_not_found' } });
    expect((await view('GET', 'no-id', 'files')).status).toBe(422);
    expect((await view('GET', id, 'file')).status).toBe(422);
  });

  it('are 503 where the agent server does not answer', async () => {
    const { id } = await doubled.conversation({ sandbox: { baseUrl: 'http://127.0.0.1:9' } });
    for (const [method, rest, body] of VIEWS.filter(([, name]) => name !== 'switch_profile'))
      expect((await view(method, id, rest, body && { body })).status).toBe(503);
  });
});
