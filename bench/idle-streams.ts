/**
 * The memory of idle streams at one replica, each with a connection of its own, beside a server of Node alone: of some and of many,
 * without garbage. In several processes, since what an allocator keeps differs. Needs the built service (`npm run build`).
 *
 *   npm run bench -- idle-streams [--processes 5]
 */
import 'reflect-metadata';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../src/appliance/embedded-postgres';
import { StreamReader } from '../test/support/streams/stream-reader';
import { median } from './hot-paths';
import { options } from './options';
import { report } from './report';
import { bareIdleMemory, idleMemory, type IdleMemory } from './streams/idle-memory';
import {
  CONVERSATIONS,
  makeScene,
  type Scene,
  startReplica,
  STREAMS_OF_KEY,
  streamPath,
} from './streams/scene';

const { processes } = options({ processes: 5 });
const COUNTS = [2_000, 10_000] as const;

async function measured(scene: Scene, streams: number): Promise<Record<string, unknown>> {
  const { conversationIds, keys } = scene;
  const all: IdleMemory[] = [];
  const bare: IdleMemory[] = [];
  for (let number = 0; number < processes; number++) {
    const replica = await startReplica(scene, 'one');
    const open = (n: number): Promise<StreamReader> =>
      StreamReader.open(`${replica.url}${streamPath(conversationIds[n % CONVERSATIONS])}`, {
        key: keys[Math.floor(n / STREAMS_OF_KEY)] ?? '',
      });
    all.push(await idleMemory(replica.child, streams, open));
    await replica.stop();
    bare.push(await bareIdleMemory(streams));
  }
  const each = all.map(({ kilobytesEach }) => kilobytesEach);
  return {
    streams,
    refused: all.reduce((sum, { refused }) => sum + refused, 0),
    kilobytesEach: median(each),
    ofProcesses: each,
    ofNodeAlone: median(bare.map(({ kilobytesEach }) => kilobytesEach)),
  };
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-idle-streams-'));
  const log = { info: () => undefined, warn: () => undefined };
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log });
  try {
    const scene = await makeScene(postgres.url, folder, Math.max(...COUNTS));
    const results: unknown[] = [];
    for (const count of COUNTS) results.push(await measured(scene, count));
    report('idle-streams', { results });
    await scene.db.destroy();
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

void main();
