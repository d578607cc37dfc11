import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EmbeddedServer } from '../../../src/appliance/embedded-agent-server/embedded-server';
import { ConversationFiles } from '../../../src/appliance/embedded-agent-server/conversations/conversation-files';
import { EventLog } from '../../../src/appliance/embedded-agent-server/conversations/event-log';
import { timeBound } from '../../support/time-bound';

const run = promisify(execFile);
const KEY = 'k';
const MEBIBYTE = 1_048_576;
/** None of this waits for anything: a reader of a pipe would for ever. */
const AT_ONCE_MS = 10_000;
const asRoot = process.getuid?.() === 0;

let folder: string;
let server: EmbeddedServer;
let baseUrl: string;
const listener = createServer();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'embedded-files-'));
  const config = {
    host: '127.0.0.1',
    port: 0,
    sessionApiKeys: [KEY],
    corsOrigins: [],
    secretKey: 's',
    conversationsPath: join(folder, 'conversations'),
    webhooks: [],
    confinedTo: null,
    llm: {},
  };
  server = new EmbeddedServer(config, folder);
  baseUrl = await server.listen();
  await mkdir(join(folder, 'a folder'));
  await symlink('/dev/zero', join(folder, 'an endless link'));
  await symlink(join(folder, 'a pipe'), join(folder, 'a link to a pipe'));
  await run('mkfifo', [join(folder, 'a pipe')]);
  if (asRoot) await run('mknod', [join(folder, 'a device'), 'c', '1', '5']);
  else await symlink('/dev/full', join(folder, 'a device'));
  listener.listen(join(folder, 'a socket'));
  await once(listener, 'listening');
});

afterAll(async () => {
  listener.close();
  await server.close();
  await rm(folder, { recursive: true });
});

async function ask(route: string, name: string, init: RequestInit = {}) {
  const response = await fetch(
    `${baseUrl}/api/file/${route}?path=${encodeURIComponent(join(folder, name))}`,
    {
      ...{
        headers: { 'x-session-api-key': KEY },
        signal: AbortSignal.timeout(timeBound(AT_ONCE_MS)),
        ...init,
      },
    },
  );
  return { status: response.status, body: await response.text() };
}

function upload(name: string, text = 'uploaded') {
  const body = new FormData();
  body.set('file', new Blob([text]), 'file');
  return ask('upload', name, { method: 'POST', body });
}

describe('files of an embedded sandbox', () => {
  it.each(['an endless link', 'a pipe', 'a link to a pipe', 'a device', 'a socket', 'a folder'])(
    'are not read from and not written to %s',
    async (name) => {
      const refusal = {
        status: 400,
        body: expect.stringContaining('is not that of a regular file') as string,
      };
      expect(await ask('download', name)).toEqual(refusal);
      expect(await upload(name)).toEqual(refusal);
    },
  );

  it('are read to 64 MiB, and an answer says where they are larger', async () => {
    await writeFile(join(folder, 'large'), '');
    await truncate(join(folder, 'large'), 64 * MEBIBYTE);
    const { status, body } = await ask('download', 'large');
    expect([status, body.length]).toEqual([200, 64 * MEBIBYTE]);
    await truncate(join(folder, 'large'), 1_024 * 1_024 * MEBIBYTE);
    expect(await ask('download', 'large')).toEqual({
      status: 413,
      body: expect.stringContaining('The file is larger than 64 MiB.') as string,
    });
  });

  it('are read and replaced where they are behind a link, also those that say nothing of their size', async () => {
    await writeFile(join(folder, 'file'), 'what was there, and is longer');
    await symlink(join(folder, 'file'), join(folder, 'a link'));
    expect(await upload('a link')).toMatchObject({ status: 200 });
    expect(await ask('download', 'file')).toEqual({ status: 200, body: 'uploaded' });
    expect(await ask('download', 'none')).toMatchObject({ status: 404 });
    if (process.platform !== 'linux') return;
    await symlink('/proc/self/status', join(folder, 'of the system'));
    expect((await stat(join(folder, 'of the system'))).size).toBe(0);
    expect((await ask('download', 'of the system')).body).toContain('Name:');
  });
});

describe('what is stored of conversations', () => {
  it.each(['/dev/zero', 'a pipe', 'a folder'])('is not read from %s', async (name) => {
    const root = await mkdtemp(join(folder, 'stored-'));
    const other = name.startsWith('/') ? name : join(folder, name);
    await mkdir(join(root, '0'.repeat(32)));
    for (const file of ['meta.json', 'events.jsonl']) await symlink(other, join(root, '0'.repeat(32), file));
    expect(() => new ConversationFiles(root, null).load()).toThrow('is no regular file');
    expect(() => new EventLog(join(root, '0'.repeat(32), 'events.jsonl'))).toThrow('is no regular file');
  });
});
