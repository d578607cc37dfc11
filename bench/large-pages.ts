/**
 * What callers who read the largest responses cost everybody else. 15 callers read without a pause, of each kind of list
 * that may be large: pages of events, queues, start tasks, conversations, and the list of their organization. A member of
 * another organization lists conversations meanwhile. Needs the built service (`npm run build`).
 *
 *   npm run bench -- large-pages [--seconds 8] [--readers 15]
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../src/kernel/database';
import { newKey } from '../src/accounts/api-keys/keys/key-format';
import { createTestDatabase } from '../test/support/database/postgres';
import { storeConversation } from '../test/support/queue/conversation-rows';
import { makeCaller, makeOrg, type TestCaller } from '../test/support/service/factories';
import { freePort } from '../test/support/service/free-port';
import { startTestServer, stopTestServer } from '../test/support/service/test-server';
import { options } from './options';
import { report } from './report';
import { UNLIMITED } from './unlimited';

const OWN_LIST = '/api/v1/app-conversations/search?limit=100';
const WARM_UP_CALLS = 100;
const EVENTS = 100;
const EVENT_BYTES = 160 * 1024;
const MESSAGES = 16;
const MESSAGE_BYTES = 1000 * 1024;
const TASKS = 8;
const REQUEST_BYTES = 2000 * 1024;
const CONVERSATIONS = 100;
/** As many tags as a conversation may have, of the largest values. */
const TAGS = 50;
const TAG_BYTES = 990;

interface Service {
  readonly child: ChildProcess;
  readonly url: string;
}

/** Someone who reads, with a conversation of theirs. */
interface Reader extends TestCaller {
  readonly conversationId: string;
}

/** What is read, by its kind. */
const PATHS: Readonly<Record<string, (reader: Reader) => string>> = {
  events: ({ conversationId }) => `/api/v1/conversation/${conversationId}/events/search?limit=100`,
  queue: ({ conversationId }) => `/api/v1/conversations/${conversationId}/pending-messages`,
  startTasks: () => '/api/v1/app-conversations/start-tasks/search?limit=100',
  conversations: () => OWN_LIST,
  organizationList: ({ orgId }) => `/api/organizations/${orgId}/conversations?per_page=100`,
};

/** A reader with as much as there is of each kind on a page. */
async function makeReader(db: DataSource, orgId: string): Promise<Reader> {
  const caller = await makeCaller(db, orgId, 'admin');
  const owner = { org_id: orgId, created_by_user_id: caller.userId };
  const { id } = await storeConversation(db, owner);
  await db.query(
    `INSERT INTO events (conversation_id, id, seq, kind, occurred_at, payload)
       SELECT $1, n::text, n, 'MessageEvent', now() + n * interval '1 second',
              '{"id":"' || n || '","text":"' || noise(n, $2) || '"}' FROM generate_series(1, $3::int) n`,
    [id, EVENT_BYTES, EVENTS],
  );
  await db.query(
    `WITH queue AS (
       INSERT INTO message_queues (id, user_id, conversation_id, last_rank) VALUES (gen_random_uuid(), $1, $2, $4)
       RETURNING id)
     INSERT INTO pending_messages (id, queue_id, rank, role, content, run, state)
     SELECT gen_random_uuid(), queue.id, n, 'user', '[{"type":"text","text":"' || noise(n, $3) || '"}]', true, 'failed'
       FROM queue, generate_series(1, $4::int) n`,
    [caller.userId, id, MESSAGE_BYTES, MESSAGES],
  );
  await db.query(
    `WITH made AS (
       INSERT INTO conversations (id, org_id, created_by_user_id, start_state, tags)
       SELECT gen_random_uuid(), $1, $2, 'failed',
              (SELECT jsonb_object_agg('tag ' || t, noise(t, $4)) FROM generate_series(1, $5::int) t)
         FROM generate_series(1, $3::int) RETURNING id)
     INSERT INTO start_tasks (id, org_id, created_by_user_id, conversation_id, sandbox_id, status, request, deadline_at)
     SELECT gen_random_uuid(), $1, $2, id, gen_random_uuid(), 'ERROR', jsonb_build_object('title', noise(1, $6)), now()
       FROM (SELECT id FROM made LIMIT $7) started`,
    [orgId, caller.userId, CONVERSATIONS, TAG_BYTES, TAGS, REQUEST_BYTES, TASKS],
  );
  return { ...caller, conversationId: id };
}

/** Makes texts that take as much room on the disk as in a response. */
const NOISE = [
  `CREATE TABLE noise AS
     SELECT string_agg(md5(i::text), '') AS text FROM generate_series(1, ${REQUEST_BYTES / 32}) i`,
  `CREATE FUNCTION noise(seed int, bytes int) RETURNS text LANGUAGE sql AS $$
     SELECT left(seed || '-' || text, bytes) FROM noise $$`,
];

async function start(databaseUrl: string, dataDir: string): Promise<Service> {
  const port = await freePort();
  const child = spawn(process.execPath, [join(__dirname, '..', 'dist', 'main.js')], {
    env: {
      ...process.env,
      ...UNLIMITED,
      PORT: String(port),
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      SECRET_KEY: newKey(),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  while (
    !(await fetch(`${url}/ready`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error('The service did not start.');
    await sleep(100);
  }
  return { child, url };
}

/** Memory of a process in MB, as Linux tells it. */
function residentMegabytes({ child }: Service, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1000);
}

/** The peak counts from here on. */
function forgetPeak({ child }: Service): void {
  writeFileSync(`/proc/${child.pid}/clear_refs`, '5');
}

async function read(url: string, key: string): Promise<number> {
  const response = await fetch(url, { headers: { 'X-Access-Token': key } });
  const { byteLength: bytes } = await response.arrayBuffer();
  return response.status === 200 ? bytes : 0;
}

function percentiles(times: number[]): Record<string, number> {
  times.sort((a, b) => a - b);
  const at = (share: number): number => Math.round((times[Math.floor(times.length * share)] ?? 0) * 10) / 10;
  return {
    calls: times.length,
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    max: Math.round(times.at(-1) ?? 0),
  };
}

/** Calls one after the other, for some seconds. */
async function otherCalls(
  { url }: Service,
  { key }: TestCaller,
  seconds: number,
): Promise<Record<string, number>> {
  const times: number[] = [];
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    const start = performance.now();
    await read(url + OWN_LIST, key);
    times.push(performance.now() - start);
  }
  return percentiles(times);
}

/** The calls of the other organization while all readers read; tells what was read as well. */
async function attacked(
  service: Service,
  other: TestCaller,
  readers: readonly Reader[],
  pathOf: (reader: Reader) => string,
  seconds: number,
): Promise<Record<string, unknown>> {
  forgetPeak(service);
  const end = performance.now() + seconds * 1000;
  let [pages, bytes, refused] = [0, 0, 0];
  const reading = readers.map(async (reader) => {
    while (performance.now() < end) {
      const found = await read(service.url + pathOf(reader), reader.key);
      if (found === 0) refused++;
      else pages++;
      bytes += found;
    }
  });
  const others = await otherCalls(service, other, seconds);
  await Promise.all(reading);
  const residentPeak = residentMegabytes(service, 'VmHWM');
  return { others, pages, megabytes: Math.round(bytes / 1e6), refused, residentPeak };
}

async function main(): Promise<void> {
  const { seconds, readers: count } = options({ seconds: 8, readers: 15 });
  await startTestServer();
  const database = await createTestDatabase();
  const db = await createDataSource(database.url, 2).initialize();
  const folder = await mkdtemp(join(tmpdir(), 'bench-large-pages-'));
  for (const statement of NOISE) await db.query(statement);
  const { id: orgId } = await makeOrg(db);
  const readers: Reader[] = [];
  for (let reader = 0; reader < count; reader++) readers.push(await makeReader(db, orgId));
  const other = await makeCaller(db, (await makeOrg(db)).id, 'owner');
  for (let i = 0; i < CONVERSATIONS; i++)
    await storeConversation(db, { org_id: other.orgId, created_by_user_id: other.userId });
  await db.query('VACUUM ANALYZE');
  const service = await start(database.url, folder);
  for (let i = 0; i < WARM_UP_CALLS; i++) await read(service.url + OWN_LIST, other.key);
  const residentBefore = residentMegabytes(service, 'VmRSS');
  const alone = await otherCalls(service, other, seconds);
  const underAttack: Record<string, unknown> = {};
  for (const [kind, pathOf] of Object.entries(PATHS))
    underAttack[kind] = await attacked(service, other, readers, pathOf, seconds);
  const aloneAfterwards = await otherCalls(service, other, seconds);
  service.child.kill('SIGTERM');
  await new Promise((resolve) => service.child.once('exit', resolve));
  await db.destroy();
  await database.drop();
  await stopTestServer();
  await rm(folder, { recursive: true, force: true });
  const parameters = { seconds, readers: count };
  report('large-pages', { parameters, residentBefore, alone, underAttack, aloneAfterwards });
}

void main();
