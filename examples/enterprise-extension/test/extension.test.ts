import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import {
  type Answer,
  checkBody,
  eventually,
  ServiceProcess,
  ServiceUnderTest,
} from 'org-conversation-service/testing';
import { badgeOf } from '../src/adapters/badge.verifier';
import { NoteCreate } from '../src/notes/notes.dto';

const BADGE_SECRET = 'secret-of-badges-0123456789';
const SOON = new Date(Date.now() + 3_600_000);

let folder: string;
let settings: Record<string, string>;
let service: ServiceUnderTest;
let orgId: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'enterprise-extension-'));
  // What the extension itself reads.
  Object.assign(process.env, { OUTBOX: join(folder, 'outbox'), BADGE_SECRET });
  settings = {
    DATA_DIR: join(folder, 'data'),
    EXTENSIONS: './dist/src/extension.js',
    SANDBOX_DRIVER: 'acme-machines',
  };
  service = await ServiceUnderTest.start({ settings });
  const { body } = await service.call('GET', '/api/v1/users/me');
  orgId = (body as { org_id: string }).org_id;
});

after(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

const notes = (): string => `/api/organizations/${orgId}/acme-notes`;
const add = (text: string, as?: string): Promise<Answer> =>
  service.call('POST', notes(), { body: { text }, ...(as !== undefined && { as }) });

it('has a route, a permission and a table of its own', async () => {
  const added = await add('Hello.');
  assert.equal(added.status, 200, JSON.stringify(added.body));
  const refused = await add('');
  assert.deepEqual([refused.status, refused.body], [422, checkBody(NoteCreate, { text: '' })]);
  const { body } = await service.call('GET', '/api/v1/users/me');
  assert.ok((body as { permissions: string[] }).permissions.includes('acme:manage_notes'));
  assert.deepEqual(await service.cli('migrate'), { migrations: [] });
});

it('lets users in with a badge, who may do what their role allows, and hears that they joined', async () => {
  const email = 'robin@example.com';
  await service.cli('member:add', '--org', orgId, '--email', email, '--role', 'member');
  await service.happened(orgId, 'member.added', { role: 'member' });
  const badge = badgeOf(email, SOON, BADGE_SECRET);
  const status = async (as: string): Promise<number> => (await service.call('GET', notes(), { as })).status;
  const welcome = await eventually(async () => {
    const { body } = await service.call('GET', notes(), { as: badge });
    const texts = (body as { text: string }[]).map(({ text }) => text);
    assert.ok(texts.includes('Somebody has joined.'), texts.join());
    return texts;
  });
  assert.ok(welcome.includes('Hello.'));
  assert.equal((await add('Mine.', badge)).status, 403);
  const nobody = badgeOf('nobody@example.com', SOON, BADGE_SECRET);
  for (const wrong of [badgeOf(email, SOON, 'another'), badgeOf(email, new Date(0), BADGE_SECRET), nobody])
    assert.equal(await status(wrong), 401);
});

it('hears what agents report', async () => {
  const id = await service.startConversation();
  await service.report(id, {
    ...{ id: 'error-1', kind: 'ConversationErrorEvent', source: 'environment' },
    ...{ code: 'broken', detail: 'It broke.', timestamp: new Date().toISOString() },
  });
  await eventually(async () => {
    const answer = await service.call('GET', `${notes()}?limit=1`);
    const text = `The agent of conversation ${id} had to give up.`;
    assert.deepEqual(answer.body, [{ id: 'error-1', text }]);
  });
});

it('notes in each organization that somebody joined it, also where it is the second one of a user', async () => {
  const created = await service.cli(
    'org:create',
    '--name',
    'Second',
    '--owner-email',
    'owner@localhost.example',
  );
  const { org_id: second, key } = created as { org_id: string; key: string };
  await service.cli('member:add', '--org', second, '--email', 'robin@example.com', '--role', 'member');
  await eventually(async () => {
    const { status, body } = await service.call('GET', `/api/organizations/${second}/acme-notes`, {
      as: key,
    });
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal((body as unknown[]).length, 2, JSON.stringify(body));
  });
});

it('sends mail by a transport of its own', async () => {
  const path = `/api/organizations/${orgId}/members/invite`;
  const { status, body } = await service.call('POST', path, { body: { emails: ['new@example.com'] } });
  assert.equal(status < 300, true, JSON.stringify(body));
  await eventually(async () => {
    const [file = ''] = await readdir(join(folder, 'outbox'));
    const email = JSON.parse(await readFile(join(folder, 'outbox', file), 'utf8')) as { to: string };
    assert.equal(email.to, 'new@example.com');
  });
});

it('runs sandboxes with a driver of its own', async () => {
  const { body } = await service.call('POST', '/api/v1/sandboxes');
  const { id, sandbox_spec_id } = body as { id: string; sandbox_spec_id: string };
  assert.equal(sandbox_spec_id, 'acme-machines');
  await eventually(async () => {
    const answer = await service.call('GET', `/api/v1/sandboxes?id=${id}`);
    assert.equal((answer.body as { status: string }[])[0]?.status, 'RUNNING', JSON.stringify(answer.body));
  });
});

it('ends with everything it started, and is started by a program of its own, too', async () => {
  const pidOfPostgres = async (): Promise<number> =>
    Number(
      (await readFile(join(folder, 'data', 'postgres', 'data', 'postmaster.pid'), 'utf8')).split('\n')[0],
    );
  const isGone = (pid: number): void => assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
  const pid = await pidOfPostgres();
  await service.stop();
  isGone(pid);
  const ownProgram = await ServiceProcess.start({ ...settings, EXTENSIONS: '' }, ['dist/src/program.js']);
  const answer = await fetch(ownProgram.url + notes(), { headers: { 'X-Access-Token': service.key } });
  assert.equal(answer.status, 200);
  const next = await pidOfPostgres();
  assert.equal(await ownProgram.stop(), 0);
  isGone(next);
});
