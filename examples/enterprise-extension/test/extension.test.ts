import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { badgeOf } from '../src/adapters/badge.verifier';
import { eventually, RunningService } from './running-service';

const BADGE_SECRET = 'secret-of-badges-0123456789';
const SOON = new Date(Date.now() + 3_600_000);

let folder: string;
let service: RunningService;
let settings: Record<string, string>;
let owner: string;
let orgId: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'enterprise-extension-'));
  settings = {
    ...{ DATA_DIR: join(folder, 'data'), OUTBOX: join(folder, 'outbox'), BADGE_SECRET },
    ...{ EXTENSIONS: './dist/src/extension.js', SANDBOX_DRIVER: 'acme-machines' },
  };
  service = await RunningService.start(null, settings);
  owner = await service.ownerKey();
  const { body } = await service.call('GET', '/api/v1/users/me', owner);
  orgId = (body as { org_id: string }).org_id;
});

after(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

const notes = (): string => `/api/organizations/${orgId}/acme-notes`;

it('has a route, a permission and a table of its own', async () => {
  const added = await service.call('POST', notes(), owner, { text: 'Hello.' });
  assert.equal(added.status, 200, JSON.stringify(added.body));
  assert.equal((await service.call('POST', notes(), owner, { text: '' })).status, 422);
  const { body } = await service.call('GET', '/api/v1/users/me', owner);
  assert.ok((body as { permissions: string[] }).permissions.includes('acme:manage_notes'));
  assert.deepEqual(await service.cli('migrate'), { migrations: [] });
});

it('lets users in with a badge, who may do what their role allows, and hears that they joined', async () => {
  const email = 'robin@example.com';
  await service.cli('member:add', '--org', orgId, '--email', email, '--role', 'member');
  const badge = badgeOf(email, SOON, BADGE_SECRET);
  const welcome = await eventually(async () => {
    const { status, body } = await service.call('GET', notes(), badge);
    assert.equal(status, 200);
    const texts = (body as { text: string }[]).map(({ text }) => text);
    assert.ok(texts.includes('Somebody has joined.'), texts.join());
    return texts;
  });
  assert.ok(welcome.includes('Hello.'));
  const refused = await service.call('POST', notes(), badge, { text: 'Mine.' });
  assert.equal(refused.status, 403);
  for (const wrong of [badgeOf(email, SOON, 'another'), badgeOf(email, new Date(0), BADGE_SECRET)])
    assert.equal((await service.call('GET', notes(), wrong)).status, 401);
  assert.equal(
    (await service.call('GET', notes(), badgeOf('nobody@example.com', SOON, BADGE_SECRET))).status,
    401,
  );
});

it('hears what agents report', async () => {
  const start = await service.call('POST', '/api/v1/app-conversations', owner, {});
  const task = `/api/v1/app-conversations/start-tasks?ids=${(start.body as { id: string }).id}`;
  const id = await eventually(async () => {
    const [found] = (await service.call('GET', task, owner)).body as [
      { status: string; app_conversation_id: string },
    ];
    assert.equal(found.status, 'READY', JSON.stringify(found));
    return found.app_conversation_id;
  });
  const { body } = await service.call('GET', `/api/v1/app-conversations/${id}`, owner);
  // As its agent server does.
  const reported = await fetch(`${service.url}/api/v1/webhooks/events/${id.replaceAll('-', '')}`, {
    method: 'POST',
    headers: {
      'X-Session-API-Key': (body as { session_api_key: string }).session_api_key,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify([
      {
        ...{ id: 'error-1', kind: 'ConversationErrorEvent', source: 'environment' },
        ...{ code: 'broken', detail: 'It broke.', timestamp: new Date().toISOString() },
      },
    ]),
  });
  assert.equal(reported.status, 200, await reported.text());
  await eventually(async () => {
    const answer = await service.call('GET', `${notes()}?limit=1`, owner);
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
    const { status, body } = await service.call('GET', `/api/organizations/${second}/acme-notes`, key);
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal((body as unknown[]).length, 2, JSON.stringify(body));
  });
});

it('sends mail by a transport of its own', async () => {
  const path = `/api/organizations/${orgId}/members/invite`;
  const { status, body } = await service.call('POST', path, owner, { emails: ['new@example.com'] });
  assert.equal(status < 300, true, JSON.stringify(body));
  await eventually(async () => {
    const [file = ''] = await readdir(join(folder, 'outbox'));
    const email = JSON.parse(await readFile(join(folder, 'outbox', file), 'utf8')) as { to: string };
    assert.equal(email.to, 'new@example.com');
  });
});

it('runs sandboxes with a driver of its own', async () => {
  const { body } = await service.call('POST', '/api/v1/sandboxes', owner);
  const { id, sandbox_spec_id } = body as { id: string; sandbox_spec_id: string };
  assert.equal(sandbox_spec_id, 'acme-machines');
  await eventually(async () => {
    const answer = await service.call('GET', `/api/v1/sandboxes?id=${id}`, owner);
    assert.equal((answer.body as { status: string }[])[0]?.status, 'RUNNING', JSON.stringify(answer.body));
  });
});

it('ends with everything it started, as a program of its own, too', async () => {
  const postgres = async (): Promise<number> =>
    Number(
      (await readFile(join(folder, 'data', 'postgres', 'data', 'postmaster.pid'), 'utf8')).split('\n')[0],
    );
  for (const next of ['src/program.js', null]) {
    const pid = await postgres();
    assert.ok(process.kill(pid, 0));
    assert.equal(await service.stop(), 0);
    assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
    if (next === null) break;
    service = await RunningService.start(next, { ...settings, EXTENSIONS: '' });
    assert.equal((await service.call('GET', notes(), owner)).status, 200);
  }
});
