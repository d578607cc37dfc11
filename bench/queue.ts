/**
 * The cost of the message queue's guarantees. Replicas are processes of their own, as in production; the agent
 * server is a bare one in a worker thread, so that the service is what is measured. Messages are queued over the IPC
 * of the replicas, without HTTP.
 *
 *   npm run bench -- queue [--messages 6000]
 *
 * `messages` is the number of messages of each throughput measurement.
 */
import 'reflect-metadata';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { DataSource } from 'typeorm';
import { AgentServerClient } from '../src/sandboxes/agent-server';
import { newId } from '../src/kernel/common';
import { readSettings } from '../src/kernel/config';
import { createDataSource, migrate } from '../src/kernel/database';
import { startEmbeddedPostgres } from '../src/appliance/embedded-postgres';
import {
  AfterCommitListeners,
  DomainEventKinds,
  DomainEventLog,
  DomainEvents,
} from '../src/kernel/domain-events';
import { JobHandlers, JobQueue, migrateJobs } from '../src/kernel/jobs';
import { MessageInsertion, MessageLimits, QueueStore } from '../src/conversations/pending-messages';
import { Replica } from '../test/crash/replica';
import { makeCaller, makeOrg } from '../test/support/service/factories';
import { options } from './options';
import { report } from './report';

const { messages: MESSAGES } = options({ messages: 6_000 });
const CONVERSATIONS = 100;
const DEATHS = 3;
/** Queued messages of one conversation at a time. */
const WINDOW = 8;

/** Handles the calls of a delivery and reports arrivals, batched over a few milliseconds. */
const SERVER = `
const { createServer } = require('node:http');
const { parentPort } = require('node:worker_threads');
let arrived = [];
const report = () => { parentPort.postMessage(arrived); arrived = []; };
const responseTo = ({ method, url }) => {
  if (method === 'POST') return '{"success":true}';
  if (url.includes('/events')) return '{"items":[],"next_page_id":null}';
  return JSON.stringify({ id: url.split('/').pop(), execution_status: 'idle' });
};
createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => (body += chunk));
  request.on('end', () => {
    if (request.method === 'POST') {
      if (arrived.length === 0) setTimeout(report, 3);
      arrived.push([JSON.parse(body).content[0].text, performance.timeOrigin + performance.now()]);
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(responseTo(request));
  });
}).listen(0, '127.0.0.1', function () { parentPort.postMessage(this.address().port); });
`;

const now = (): number => performance.timeOrigin + performance.now();

/** The fixture of a measurement. */
interface Bench {
  readonly db: DataSource;
  readonly databaseUrl: string;
  readonly server: { readonly baseUrl: string; readonly apiKey: string };
  readonly userId: string;
  readonly orgId: string;
  readonly arrivals: Arrivals;
}

async function conversation({ db, orgId, userId }: Bench, state = 'ready'): Promise<string> {
  const id = newId();
  await db.query(
    `INSERT INTO conversations (id, org_id, created_by_user_id, sandbox_id, start_state)
     VALUES ($1, $2, $3, $4, $5)`,
    [id, orgId, userId, newId(), state],
  );
  return id;
}

function conversations(bench: Bench, count: number, state?: string): Promise<string[]> {
  return Promise.all(Array.from({ length: count }, () => conversation(bench, state)));
}

function percentiles(times: number[]): { count: number; p50: number; p99: number } {
  times.sort((a, b) => a - b);
  const at = (share: number): number => Number((times[Math.floor(times.length * share)] ?? 0).toFixed(1));
  return { count: times.length, p50: at(0.5), p99: at(0.99) };
}

const blocks = (text: string): string => JSON.stringify([{ type: 'text', text }]);

/** The arrival time of each text. */
class Arrivals {
  private readonly times = new Map<string, number>();
  private readonly awaited = new Map<string, (at: number) => void>();

  note(batch: readonly (readonly [text: string, at: number])[]): void {
    for (const [text, at] of batch) {
      this.times.set(text, at);
      this.awaited.get(text)?.(at);
    }
  }

  of(text: string): Promise<number> {
    const at = this.times.get(text);
    return at === undefined ? new Promise((resolve) => this.awaited.set(text, resolve)) : Promise.resolve(at);
  }
}

/** How long after it was queued each text arrived. */
function delays({ arrivals }: Bench, queuedAt: ReadonlyMap<string, number>): Promise<number[]> {
  return Promise.all([...queuedAt].map(async ([text, at]) => Math.max(0, (await arrivals.of(text)) - at)));
}

/** From the response to the enqueue call to the arrival, with a running conversation and no other load. */
async function latency(bench: Bench, replica: Replica): Promise<ReturnType<typeof percentiles>> {
  const ids = await conversations(bench, 10);
  const accepted = new Map<string, number>();
  for (let i = 0; i < 400; i++) {
    const text = newId();
    await replica.add(bench.userId, ids[i % ids.length] ?? '', blocks(text));
    if (i >= 100) accepted.set(text, now());
    await sleep(20);
  }
  return percentiles(await delays(bench, accepted));
}

/** From the commit that makes a conversation READY to the arrival of its first message. */
async function readyToFirst(bench: Bench, replica: Replica): Promise<ReturnType<typeof percentiles>> {
  const jobs = new JobQueue();
  const log = new DomainEventLog();
  const kinds = new DomainEventKinds();
  const events = new DomainEvents(new AfterCommitListeners(jobs, new JobHandlers(), kinds, log), log, kinds);
  const limits = new MessageLimits(readSettings({}));
  const insertion = new MessageInsertion(jobs, events, limits);
  const store = new QueueStore(bench.db, jobs, events, limits, insertion);
  const readyAt = new Map<string, number>();
  for (const id of await conversations(bench, 100, 'starting')) {
    await replica.add(bench.userId, id, blocks(id));
    await sleep(20);
    await bench.db.transaction(async (transaction) => {
      await transaction.query(`UPDATE conversations SET start_state = 'ready' WHERE id = $1`, [id]);
      await store.resume(transaction, id);
    });
    readyAt.set(id, now());
  }
  return percentiles(await delays(bench, readyAt));
}

/**
 * Messages per second, from the first one queued to the last one arrived. The sender keeps within the limit of ten
 * waiting messages, so that none is refused.
 */
async function throughput(bench: Bench, replicas: readonly Replica[]): Promise<number> {
  const ids = await conversations(bench, CONVERSATIONS);
  const start = now();
  const lasts = await Promise.all(
    ids.map(async (id, index) => {
      const under: Promise<number>[] = [];
      for (let i = 0; i < MESSAGES / CONVERSATIONS; i++) {
        if (i >= WINDOW) await under[i - WINDOW];
        const text = newId();
        under.push(bench.arrivals.of(text));
        while ((await replicas[(index + i) % replicas.length]?.add(bench.userId, id, blocks(text))) === null)
          await sleep(5);
      }
      return Math.max(...(await Promise.all(under)));
    }),
  );
  return Math.round((1000 * MESSAGES) / (Math.max(...lasts) - start));
}

/** The same messages in a loop that only sends. */
async function fireAndForget(bench: Bench): Promise<number> {
  const client = new AgentServerClient();
  const start = now();
  await Promise.all(
    Array.from({ length: CONVERSATIONS }, async () => {
      const id = newId();
      for (let i = 0; i < MESSAGES / CONVERSATIONS; i++)
        await client.sendMessage(
          bench.server,
          id,
          `{"role":"user","content":${blocks(newId())},"run":true}`,
          30_000,
        );
    }),
  );
  const rate = Math.round((1000 * MESSAGES) / (now() - start));
  await client.onApplicationShutdown();
  return rate;
}

/**
 * From `kill -9` of a replica to the arrival of its messages through another replica.
 * @param step where it dies: it has the queue (`leased`), or a message may be on its way (`marked`), which is
 *   sent again only after the settling time
 */
async function recovery(bench: Bench, dying: Replica, step: 'leased' | 'marked'): Promise<number> {
  const id = await conversation(bench);
  const text = newId();
  dying.dieAt(step, 0);
  await dying.add(bench.userId, id, blocks(text));
  await dying.ended;
  const killed = now();
  return Math.round((await bench.arrivals.of(text)) - killed);
}

async function recoveries(bench: Bench, start: () => Promise<Replica>): Promise<Record<string, number[]>> {
  const several = (step: 'leased' | 'marked'): Promise<number[]> =>
    Promise.all(
      Array.from({ length: DEATHS }, async (_, index) => {
        const replica = await start();
        await sleep(index * 350);
        return recovery(bench, replica, step);
      }),
    );
  const [beforeSending, inFlight] = [await several('leased'), await several('marked')];
  return { beforeSending, inFlight };
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-queue-'));
  const log = { info: () => undefined, warn: () => undefined };
  const postgres = await startEmbeddedPostgres({
    dataDir: folder,
    log,
    settings: { max_connections: '200' },
  });
  await migrate(postgres.url, migrateJobs);
  const db = await createDataSource(postgres.url, 4).initialize();
  const worker = new Worker(SERVER, { eval: true });
  const port = await new Promise<number>((resolve) => worker.once('message', resolve));
  const arrivals = new Arrivals();
  worker.on('message', (batch: [string, number][]) => arrivals.note(batch));
  const org = await makeOrg(db);
  const bench: Bench = {
    db,
    databaseUrl: postgres.url,
    server: { baseUrl: `http://127.0.0.1:${port}`, apiKey: 'bench-key' },
    userId: (await makeCaller(db, org.id)).userId,
    orgId: org.id,
    arrivals,
  };
  const env = { JOB_LEASE_SECONDS: '8', DELIVERY_SETTLE_SECONDS: '10', SEND_TIMEOUT_SECONDS: '30' };
  const start = async (): Promise<Replica> => {
    const replica = new Replica({ databaseUrl: postgres.url, server: bench.server, env });
    await replica.ready;
    return replica;
  };
  const first = await start();
  const results: Record<string, unknown> = {
    acceptedToDeliveredMs: await latency(bench, first),
    readyToFirstMs: await readyToFirst(bench, first),
    perSecondOneReplica: await throughput(bench, [first]),
  };
  const second = await start();
  results['perSecondTwoReplicas'] = await throughput(bench, [first, second]);
  results['perSecondFireAndForget'] = await fireAndForget(bench);
  results['recoveryMs'] = await recoveries(bench, start);
  first.kill();
  second.kill();
  report('queue', { messages: MESSAGES, results });
  await worker.terminate();
  await db.destroy();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

void main();
