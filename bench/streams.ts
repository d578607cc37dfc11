/**
 * Streams of events. Memory: so many idle streams at one replica, each with a connection of its own. Lag: listeners on 25
 * conversations with 20 events a second each over two replicas, all of them connecting again every second, one replica
 * killed in the middle; from the call that tells an event to its arrival, with nothing missed and nothing doubled.
 * Ingestion: what the index costs that streams read by, with no listener, as `domain-events` measures (the log is
 * measured there). Needs the built service (`npm run build`).
 *
 *   npm run bench -- streams [--idle 2000] [--listeners 500] [--seconds 30] [--rounds 15]
 */
import 'reflect-metadata';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { digestOf, newId } from '../src/common';
import { createDataSource, migrate } from '../src/database';
import { startEmbeddedPostgres } from '../src/database/embedded';
import { migrateJobs } from '../src/jobs';
import { makeCaller, makeKey, makeOrg } from '../test/support/service/factories';
import { StreamReader } from '../test/support/streams/stream-reader';
import { callsPerSecond, cleanUp, median, openConversations, receivedEvent, startService } from './hot-paths';
import { options } from './options';
import { quantile, round } from './org-list-load';
import { report } from './report';
import { type Heard, Listener } from './streams/listener';
import { Load } from './streams/load';
import { Replica } from './streams/replica';

const { idle, listeners, seconds, rounds } = options({
  idle: 2_000,
  listeners: 500,
  seconds: 30,
  rounds: 15,
});
const CONVERSATIONS = 25;
const EVENTS_PER_SECOND = 20;
const STREAMS_OF_KEY = 20;
const RECONNECT_MS = 1_000;
const WARM_UP_STREAMS = 200;
const TEXT_BYTES = 200;
const SESSION_KEY = 'session-key-of-the-benchmark';

interface Scene {
  readonly db: DataSource;
  readonly url: string;
  readonly folder: string;
  readonly conversationIds: readonly string[];
  readonly keys: readonly string[];
  readonly owner: { readonly userId: string; readonly orgId: string; readonly sandboxId: string };
}

async function makeScene(url: string, folder: string): Promise<Scene> {
  await migrate(url, migrateJobs);
  const db = await createDataSource(url, 4).initialize();
  const org = await makeOrg(db);
  const { userId } = await makeCaller(db, org.id, 'owner');
  const owner = { userId, orgId: org.id, sandboxId: newId() };
  await db.query(
    `INSERT INTO sandboxes (id, org_id, created_by_user_id, driver, status, session_key_digest, last_activity_at)
     VALUES ($1, $2, $3, 'external', 'RUNNING', $4, now())`,
    [owner.sandboxId, owner.orgId, userId, digestOf(SESSION_KEY)],
  );
  const conversationIds = (await openConversations(db, owner)).slice(0, CONVERSATIONS);
  const count = Math.ceil(Math.max(idle, listeners * 2) / STREAMS_OF_KEY) + 1;
  const keys: string[] = [];
  for (let n = 0; n < count; n++) keys.push((await makeKey(db, userId)).key);
  return { db, url, folder, conversationIds, keys, owner };
}

const streamPath = (id = ''): string => `/api/v1/conversation/${id}/events/stream`;

/** Bytes of memory that an idle stream adds. */
async function idleMemory(scene: Scene, replica: Replica): Promise<Record<string, number>> {
  const { conversationIds, keys } = scene;
  const open = (count: number): Promise<StreamReader[]> =>
    Promise.all(
      Array.from({ length: count }, (_, n) =>
        StreamReader.open(`${replica.url}${streamPath(conversationIds[n % CONVERSATIONS])}`, {
          key: keys[Math.floor(n / STREAMS_OF_KEY)] ?? '',
        }),
      ),
    );
  for (const stream of await open(Math.min(idle, WARM_UP_STREAMS))) stream.close();
  await pause(5_000);
  const before = await replica.memory();
  const streams = await open(idle);
  const refused = streams.filter(({ status }) => status !== 200).length;
  // Long enough for everybody's heartbeat.
  await pause(20_000);
  const kilobytesEach = round(((await replica.memory()) - before) / idle / 1_000);
  for (const stream of streams) stream.close();
  return { streams: idle, refused, kilobytesEach };
}

async function lag(scene: Scene, replicas: readonly Replica[]): Promise<Record<string, unknown>> {
  const { conversationIds, keys } = scene;
  const load = new Load(replicas, SESSION_KEY);
  const all = Array.from({ length: listeners }, (_, n) => {
    const key = keys[Math.floor((n * 2) / STREAMS_OF_KEY)] ?? '';
    return new Listener(streamPath(conversationIds[n % CONVERSATIONS]), key, replicas, load.sentAt);
  });
  const running = Promise.all(all.map((listener, n) => listener.run(RECONNECT_MS, n)));
  await pause(2 * RECONNECT_MS);
  const telling = Promise.all(conversationIds.map((id) => load.run(id, EVENTS_PER_SECOND, seconds)));
  await pause((seconds * 1_000) / 2);
  replicas[1]?.kill();
  const [expected = 0] = await telling;
  const began = performance.now();
  while (all.some(({ count }) => count < expected) && performance.now() - began < 30_000) await pause(50);
  const heard = all.map((listener) => listener.stop(expected));
  await running;
  const lagsMs = heard.flatMap((one) => one.lagsMs);
  const sumOf = (part: (one: Heard) => number): number => heard.reduce((sum, one) => sum + part(one), 0);
  return {
    ...{ listeners, conversations: CONVERSATIONS, eventsPerSecond: CONVERSATIONS * EVENTS_PER_SECOND },
    ...{ received: lagsMs.length, missed: sumOf(({ missed }) => missed) },
    doubled: sumOf(({ doubled }) => doubled),
    p50Ms: quantile(lagsMs, 0.5),
    p99Ms: quantile(lagsMs, 0.99),
  };
}

/** How much slower events are stored with the index that streams read by. */
async function ingestion({ db, url, folder, owner }: Scene): Promise<Record<string, number>> {
  const app = await startService(url, folder);
  const ids = await openConversations(db, owner);
  const operation = receivedEvent(owner, TEXT_BYTES);
  const ratios: number[] = [];
  for (let number = 0; number <= rounds; number++) {
    const rates = { without: 0, withIndex: 0 };
    for (const name of number % 2 === 0
      ? (['without', 'withIndex'] as const)
      : (['withIndex', 'without'] as const)) {
      await cleanUp(db);
      await db.query('DROP INDEX IF EXISTS events_order');
      if (name === 'withIndex') await db.query('CREATE INDEX events_order ON events (conversation_id, seq)');
      rates[name] = await callsPerSecond(app, ids, operation, 1);
    }
    // The first round warms up.
    if (number > 0) ratios.push(rates.without / rates.withIndex);
  }
  await app.close();
  return { rounds, indexAddsPercent: round((median(ratios) - 1) * 100) };
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-streams-'));
  const log = { info: () => undefined, warn: () => undefined };
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log });
  const replicas: Replica[] = [];
  try {
    const scene = await makeScene(postgres.url, folder);
    for (const name of ['one', 'two']) replicas.push(await Replica.start(postgres.url, join(folder, name)));
    const [first] = replicas as [Replica];
    const memory = await idleMemory(scene, first);
    const lags = await lag(scene, replicas);
    for (const replica of replicas) await replica.stop();
    report('streams', { idle: memory, lag: lags, ingestion: await ingestion(scene) });
    await scene.db.destroy();
  } finally {
    for (const replica of replicas) if (replica.child.exitCode === null) replica.kill();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

void main();
