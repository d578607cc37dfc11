/**
 * Streams of events. Lag: listeners on 25 conversations over two replicas, of which one is killed in the middle but for some
 * loads; from the call that tells an event to its arrival, with nothing missed and nothing doubled. Several loads, since service,
 * database, agent servers and listeners share the machine here: from what it carries easily to more than it can. Ends: from the
 * commit that revokes a key to the end of its stream, while nothing else happens.
 * Ingestion: what the index costs that streams read by, with no listener, as `domain-events` measures (the log is
 * measured there). Needs the built service (`npm run build`).
 *
 *   npm run bench -- streams [--seconds 30] [--rounds 15]
 */
import 'reflect-metadata';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startEmbeddedPostgres } from '../src/appliance/embedded-postgres';
import { makeKey } from '../test/support/service/factories';
import { callsPerSecond, cleanUp, median, openConversations, receivedEvent, startService } from './hot-paths';
import { options } from './options';
import { quantile, round } from './org-list-load';
import { report } from './report';
import { endsAfterRevocation } from './streams/ends';
import { type Heard, Listener } from './streams/listener';
import { Load } from './streams/load';
import type { Replica } from './streams/replica';
import {
  CONVERSATIONS,
  makeScene,
  type Scene,
  SESSION_KEY,
  startReplica,
  STREAMS_OF_KEY,
  streamPath,
} from './streams/scene';

const { seconds, rounds } = options({
  seconds: 30,
  rounds: 15,
});
/** Each listener connects again so often; half of the events of all conversations are told by each replica. */
const LOADS = [
  { listeners: 100, eventsPerSecond: 2, reconnectMs: 60_000, isKilled: false },
  { listeners: 500, eventsPerSecond: 4, reconnectMs: 25_000, isKilled: true },
  { listeners: 100, eventsPerSecond: 10, reconnectMs: 1_000, isKilled: true },
  { listeners: 500, eventsPerSecond: 20, reconnectMs: 60_000, isKilled: false },
  { listeners: 500, eventsPerSecond: 20, reconnectMs: 25_000, isKilled: true },
  { listeners: 500, eventsPerSecond: 20, reconnectMs: 1_000, isKilled: true },
] as const;
const MOST_LISTENERS = Math.max(...LOADS.map(({ listeners }) => listeners));
const ENDED = 60;
const TEXT_BYTES = 200;

/** Over two replicas of its own, and conversations without events. */
async function lag(scene: Scene, load: (typeof LOADS)[number]): Promise<Record<string, unknown>> {
  const replicas = [await startReplica(scene, 'one'), await startReplica(scene, 'two')];
  const fresh = (await openConversations(scene.db, scene.owner)).slice(0, CONVERSATIONS);
  try {
    return await lagOf({ ...scene, conversationIds: fresh }, load, replicas);
  } finally {
    for (const replica of replicas) await replica.stop();
  }
}

async function lagOf(
  { conversationIds, keys }: Scene,
  { listeners, eventsPerSecond, reconnectMs, isKilled }: (typeof LOADS)[number],
  replicas: readonly Replica[],
): Promise<Record<string, unknown>> {
  const load = new Load(replicas, SESSION_KEY);
  const all = Array.from({ length: listeners }, (_, n) => {
    const key = keys[Math.floor((n * 2) / STREAMS_OF_KEY)] ?? '';
    return new Listener(streamPath(conversationIds[n % CONVERSATIONS]), key, replicas, load.sentAt);
  });
  const running = Promise.all(all.map((listener, n) => listener.run(reconnectMs, n)));
  await pause(4_000);
  const telling = Promise.all(conversationIds.map((id) => load.run(id, eventsPerSecond, seconds)));
  await pause((seconds * 1_000) / 2);
  if (isKilled) replicas[1]?.kill();
  const [expected = 0] = await telling;
  const began = performance.now();
  while (all.some(({ count }) => count < expected) && performance.now() - began < 30_000) await pause(50);
  const heard = all.map((listener) => listener.stop(expected));
  await running;
  const lagsMs = heard.flatMap((one) => one.lagsMs);
  const sumOf = (part: (one: Heard) => number): number => heard.reduce((sum, one) => sum + part(one), 0);
  return {
    ...{
      listeners,
      conversations: CONVERSATIONS,
      eventsPerSecond: CONVERSATIONS * eventsPerSecond,
      reconnectMs,
      isReplicaKilled: isKilled,
    },
    received: lagsMs.length,
    missed: sumOf(({ missed }) => missed),
    doubled: sumOf(({ doubled }) => doubled),
    p50Ms: quantile(lagsMs, 0.5),
    p99Ms: quantile(lagsMs, 0.99),
  };
}

/** How long the stream of a revoked key goes on. */
async function ends(scene: Scene): Promise<Record<string, number>> {
  const { db, conversationIds, owner } = scene;
  const keys: string[] = [];
  for (let n = 0; n < ENDED; n++) keys.push((await makeKey(db, owner.userId)).key);
  const replica = await startReplica(scene, 'one');
  const waits = await endsAfterRevocation(db, `${replica.url}${streamPath(conversationIds[0])}`, keys);
  await replica.stop();
  return { streams: ENDED, p50Ms: quantile(waits, 0.5), mostMs: waits.at(-1) ?? NaN };
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
  try {
    const scene = await makeScene(postgres.url, folder, MOST_LISTENERS * 2);
    const lags: unknown[] = [];
    for (const load of LOADS) lags.push(await lag(scene, load));
    report('streams', {
      lag: lags,
      ends: await ends(scene),
      ingestion: await ingestion(scene),
    });
    await scene.db.destroy();
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

void main();
