/**
 * Records the database of this release, filled by its API, for the tests of later ones
 * (`test/integration/database/released.spec.ts`): `test/fixtures/released/VERSION.sql.gz`. Run once for each release, when its
 * migrations are final. Needs `npm run build`, `pg_dump`, and an empty database of PostgreSQL 15 in `DATABASE_URL`.
 *
 *   DATABASE_URL=postgres://… node --require @swc-node/register scripts/record-release.ts
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import { call } from '../test/support/service/http';
import { eventually } from '../test/support/eventually';
import { nextPort } from '../test/support/service/free-port';
import { RELEASED, SECRET_KEY, KEY } from '../test/fixtures/released/released';
import { ServiceProcess } from '../test/support/service/service-process';

const ROOT = join(__dirname, '..');
const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));
const identified = z.object({ id: z.string() });

async function main(): Promise<void> {
  const databaseUrl = process.env.DATABASE_URL;
  if (databaseUrl === undefined) throw new Error('DATABASE_URL is not set.');
  const folder = mkdtempSync(join(tmpdir(), 'released-'));
  const port = `${nextPort()}`;
  const service = ServiceProcess.startBuild(ROOT, {
    DATABASE_URL: databaseUrl,
    DATA_DIR: folder,
    SECRET_KEY,
    BOOTSTRAP_KEY: KEY,
    PORT: port,
    SANDBOX_DRIVER: 'embedded',
    CALLBACK_URL: `http://127.0.0.1:${port}`,
  });
  try {
    await fill(await service.ready);
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true });
  }
  const dump = execFileSync(
    'pg_dump',
    ['--inserts', '--rows-per-insert=50', '--no-owner', '--no-privileges', databaseUrl],
    { maxBuffer: 2 ** 28 },
  );
  writeFileSync(join(RELEASED, `${version}.sql.gz`), gzipSync(dump, { level: 9 }));
}

/** Makes at least a row of whatever a person can make. */
async function fill(url: string): Promise<void> {
  const send = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await call({ url }, method, path, { key: KEY, body });
    if (response.status >= 300)
      throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(response.body)}`);
    return response.body;
  };
  const { org_id: org } = z.object({ org_id: z.string() }).parse(await send('GET', '/api/keys/current'));
  await send('PATCH', `/api/organizations/${org}`, { name: 'Released' });
  await send('POST', `/api/organizations/${org}/members/invite`, {
    emails: ['guest@example.com'],
    role: 'member',
  });
  await send('POST', '/api/keys', { name: 'second' });
  await send('POST', '/api/v1/secrets', { name: 'TOKEN', value: 'a value', description: 'of the fixture' });
  await send('POST', '/api/v1/settings/profiles/fast', { llm: { model: 'openai/gpt-5' } });
  await send('POST', '/api/agent-profiles/careful', {});
  await send('POST', '/api/users/app', { registered_marketplaces: [] });
  await send('POST', `/api/organizations/${org}/provider-connections`, {
    provider: 'openai',
    api_key: 'a-key',
  });
  await send('POST', '/api/v1/git/credentials', {
    url_prefix: 'https://git.example.com/',
    username: 'build',
    password: 'a password',
  });
  await send('POST', `/api/organizations/${org}/webhooks`, {
    url: 'https://callbacks.example.com/conversations',
    kinds: ['conversation.*'],
  });
  const task = identified.parse(
    await send('POST', '/api/v1/app-conversations', {
      initial_message: { role: 'user', content: [{ type: 'text', text: 'What does the build say?' }] },
      title: 'Recorded',
      tags: { team: 'build' },
    }),
  );
  const conversation = await eventually(async () => {
    const [found] = z
      .tuple([z.object({ app_conversation_id: z.string(), status: z.literal('READY') })])
      .parse(await send('GET', `/api/v1/app-conversations/start-tasks?ids=${task.id}`));
    return found.app_conversation_id;
  });
  await send('POST', `/api/v1/conversations/${conversation}/pending-messages`, {
    content: [{ type: 'text', text: 'And now?' }],
  });
  await eventually(async () => {
    const { items } = z
      .object({ items: z.array(z.object({ source: z.string() })) })
      .parse(await send('GET', `/api/v1/conversation/${conversation}/events/search`));
    if (items.filter(({ source }) => source === 'agent').length < 2) throw new Error('No second answer yet.');
  });
  // For a conversation that never begins.
  await send('POST', `/api/v1/conversations/${'0'.repeat(31)}1/pending-messages`, {
    content: [{ type: 'text', text: 'Early' }],
  });
}

void main();
