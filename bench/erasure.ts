/**
 * What others notice while a person with many conversations is erased. Callers of another organization list and change
 * conversations: alone, while the erasure goes on, and afterwards. Needs the built service (`npm run build`).
 *
 *   npm run bench -- erasure [--conversations 10000] [--seconds 20] [--callers 4]
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { newKey } from '../src/accounts/api-keys/keys/key-format';
import { createDataSource } from '../src/kernel/database';
import { createTestDatabase } from '../test/support/database/postgres';
import { giveConversations } from '../test/support/persons/many-conversations';
import { storeConversation } from '../test/support/queue/conversation-rows';
import { makeCaller, makeOrg, type TestCaller } from '../test/support/service/factories';
import { freePort } from '../test/support/service/free-port';
import { startTestServer, stopTestServer } from '../test/support/service/test-server';
import { options } from './options';
import { report } from './report';
import { UNLIMITED } from './unlimited';

const OWN_LIST = '/api/v1/app-conversations/search?limit=20';
const CONVERSATIONS = 100;

/** Somebody else, with a conversation that they change. */
interface Other extends TestCaller {
  readonly conversationId: string;
}

async function start(databaseUrl: string, dataDir: string): Promise<{ child: ChildProcess; url: string }> {
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
  const isReady = () =>
    fetch(`${url}/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error('The service did not start.');
    await sleep(100);
  }
  return { child, url };
}

async function send(url: string, key: string, method = 'GET', body?: object): Promise<unknown> {
  const response = await fetch(url, {
    method,
    headers: { 'X-Access-Token': key, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer: unknown = await response.json();
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status}`);
  return answer;
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

/** Calls of all others, each one after the other, until something is over. */
async function callsUntil(url: string, others: readonly Other[], isOver: () => boolean) {
  const [reads, changes]: [number[], number[]] = [[], []];
  const timed = async (times: number[], work: () => Promise<unknown>): Promise<void> => {
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  };
  await Promise.all(
    others.map(async ({ key, conversationId }) => {
      for (let n = 0; !isOver(); n++) {
        await timed(reads, () => send(url + OWN_LIST, key));
        await timed(changes, () =>
          send(`${url}/api/v1/app-conversations/${conversationId}`, key, 'PATCH', { title: `Title ${n}` }),
        );
        // As people do: others have the machine in between.
        await sleep(20);
      }
    }),
  );
  return { reads: percentiles(reads), changes: percentiles(changes) };
}

function callsFor(url: string, others: readonly Other[], seconds: number) {
  const end = performance.now() + seconds * 1_000;
  return callsUntil(url, others, () => performance.now() >= end);
}

async function main(): Promise<void> {
  const parameters = options({ conversations: 10_000, seconds: 20, callers: 4 });
  const { conversations, seconds, callers } = parameters;
  await startTestServer();
  const database = await createTestDatabase();
  const db = await createDataSource(database.url, 2).initialize();
  const folder = await mkdtemp(join(tmpdir(), 'bench-erasure-'));
  const owner = await makeCaller(db, (await makeOrg(db)).id, 'owner');
  const person = await makeCaller(db, owner.orgId);
  await giveConversations(database, person, conversations);
  const { id: orgId } = await makeOrg(db);
  const others: Other[] = [];
  for (let n = 0; n < callers; n++) {
    const caller = await makeCaller(db, orgId);
    const by = { org_id: orgId, created_by_user_id: caller.userId };
    const { id } = await storeConversation(db, by);
    for (let i = 1; i < CONVERSATIONS; i++) await storeConversation(db, by);
    others.push({ ...caller, conversationId: id });
  }
  await db.query('VACUUM ANALYZE');
  const { child, url } = await start(database.url, folder);
  await callsFor(url, others, 5);
  const alone = await callsFor(url, others, seconds);
  const path = `${url}/api/organizations/${owner.orgId}/erasures/${person.userId}`;
  const began = performance.now();
  await send(path, owner.key, 'POST');
  let isDone = false;
  const watching = (async () => {
    while (!isDone) {
      await sleep(500);
      const answer = await send(path, owner.key);
      isDone = typeof answer === 'object' && answer !== null && 'state' in answer && answer.state === 'done';
    }
  })();
  const meanwhile = await callsUntil(url, others, () => isDone);
  await watching;
  const erasedInSeconds = Math.round((performance.now() - began) / 100) / 10;
  const afterwards = await callsFor(url, others, seconds);
  child.kill('SIGTERM');
  await new Promise((resolve) => child.once('exit', resolve));
  await db.destroy();
  await database.drop();
  await stopTestServer();
  await rm(folder, { recursive: true, force: true });
  report('erasure', { parameters, erasedInSeconds, alone, meanwhile, afterwards });
}

void main();
