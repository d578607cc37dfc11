/**
 * What the guarantees of the message queue cost. Replicas are processes of their own, as in production; the
 * agent server is a bare one in a thread, so that the service is what is measured. Messages are queued over
 * the IPC of the replicas, without HTTP.
 *
 *   node -r @swc-node/register bench/queue.ts [messages for the throughput]
 */
import 'reflect-metadata';
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { DataSource } from 'typeorm';
import { AgentServerClient } from '../src/agent-server';
import { newId } from '../src/common';
import { createDataSource, migrate } from '../src/database';
import { startEmbeddedPostgres } from '../src/database/embedded';
import { JobQueue, migrateJobs } from '../src/jobs';
import { QueueStore } from '../src/pending-messages';
import { Replica } from '../test/crash/replica';
import { makeCaller, makeOrg } from '../test/support/factories';

const MESSAGES = Number(process.argv[2] ?? 6_000);
const CONVERSATIONS = 100;

const SERVER = `
const { createServer } = require('node:http');
const { parentPort } = require('node:worker_threads');
const arrivals = {};
const answers = { search: '{"items":[],"next_page_id":null}', events: '{"success":true}' };
createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => (body += chunk));
  request.on('end', () => {
    if (request.method === 'POST') {
      const [{ text }] = JSON.parse(body).content;
      arrivals[text] = performance.timeOrigin + performance.now();
    }
    response.setHeader('content-type', 'application/json');
    response.end(request.method === 'GET' ? answers.search : answers.events);
  });
}).listen(0, '127.0.0.1', function () { parentPort.postMessage(this.address().port); });
parentPort.on('message', () => parentPort.postMessage({ ...arrivals }));
`;

const now = (): number => performance.timeOrigin + performance.now();

/** Everything a measurement needs. */
interface Bench {
  readonly db: DataSource;
  readonly databaseUrl: string;
  readonly server: { readonly baseUrl: string; readonly apiKey: string };
  readonly userId: string;
  readonly orgId: string;
  arrivals(): Promise<Record<string, number>>;
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

async function allArrived(bench: Bench, texts: readonly string[]): Promise<Record<string, number>> {
  for (;;) {
    const arrivals = await bench.arrivals();
    if (texts.every((text) => text in arrivals)) return arrivals;
    await sleep(20);
  }
}

/** From the answer to who queues a message to its arrival, the conversation running and nothing else going on. */
async function latency(bench: Bench, replica: Replica): Promise<ReturnType<typeof percentiles>> {
  const ids = await conversations(bench, 10);
  const accepted = new Map<string, number>();
  for (let i = 0; i < 400; i++) {
    const text = newId();
    await replica.add(bench.userId, ids[i % ids.length] ?? '', blocks(text));
    if (i >= 100) accepted.set(text, now());
    await sleep(20);
  }
  const arrivals = await allArrived(bench, [...accepted.keys()]);
  return percentiles([...accepted].map(([text, at]) => Math.max(0, (arrivals[text] ?? 0) - at)));
}

/** From the commit that makes a conversation READY to the arrival of its first message. */
async function readyToFirst(bench: Bench, replica: Replica): Promise<ReturnType<typeof percentiles>> {
  const store = new QueueStore(new JobQueue());
  const readyAt = new Map<string, number>();
  for (const id of await conversations(bench, 100, 'starting')) {
    await replica.add(bench.userId, id, blocks(id));
    await sleep(20);
    await bench.db.transaction(async (transaction) => {
      await transaction.query(`UPDATE conversations SET start_state = 'ready' WHERE id = $1`, [id]);
      await store.ready(transaction, id);
    });
    readyAt.set(id, now());
  }
  const arrivals = await allArrived(bench, [...readyAt.keys()]);
  return percentiles([...readyAt].map(([id, at]) => Math.max(0, (arrivals[id] ?? 0) - at)));
}

/** Messages a second, from the first one queued to the last one arrived. */
async function throughput(bench: Bench, replicas: readonly Replica[]): Promise<number> {
  const ids = await conversations(bench, CONVERSATIONS);
  const texts: string[] = [];
  const start = now();
  await Promise.all(
    ids.map(async (id, index) => {
      for (let i = 0; i < MESSAGES / CONVERSATIONS; i++) {
        const text = newId();
        texts.push(text);
        while ((await replicas[(index + i) % replicas.length]?.add(bench.userId, id, blocks(text))) === null)
          await sleep(5);
      }
    }),
  );
  const arrivals = await allArrived(bench, texts);
  const last = Math.max(...texts.map((text) => arrivals[text] ?? 0));
  return Math.round((1000 * texts.length) / (last - start));
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

/** From `kill -9` of a replica that had just claimed a queue to the arrival of what it held. */
async function recovery(bench: Bench, dying: Replica): Promise<number> {
  const id = await conversation(bench);
  const text = newId();
  dying.dieAt('claimed', 0);
  await dying.add(bench.userId, id, blocks(text));
  await dying.ended;
  const killed = now();
  const successor = new Replica({ databaseUrl: bench.databaseUrl, server: bench.server, env: {} });
  await successor.ready;
  const arrivals = await allArrived(bench, [text]);
  successor.kill();
  return Math.round((arrivals[text] ?? 0) - killed);
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-queue-'));
  const log = { info: () => undefined, warn: () => undefined };
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log });
  await migrate(postgres.url, migrateJobs);
  const db = await createDataSource(postgres.url, 4).initialize();
  const worker = new Worker(SERVER, { eval: true });
  const port = await new Promise<number>((resolve) => worker.once('message', resolve));
  const org = await makeOrg(db);
  const bench: Bench = {
    db,
    databaseUrl: postgres.url,
    server: { baseUrl: `http://127.0.0.1:${port}`, apiKey: 'bench-key' },
    userId: (await makeCaller(db, org.id)).userId,
    orgId: org.id,
    arrivals: () =>
      new Promise((resolve) => {
        worker.once('message', resolve);
        worker.postMessage('arrivals');
      }),
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
  second.kill();
  results['recoveryMs'] = await recovery(bench, first);
  console.log(JSON.stringify(results, null, 2));
  const machine = {
    node: process.version,
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
  };
  mkdirSync(join(__dirname, 'results'), { recursive: true });
  const report = { measuredAt: new Date().toISOString(), machine, messages: MESSAGES, results };
  writeFileSync(join(__dirname, 'results', 'queue.json'), `${JSON.stringify(report, null, 2)}\n`);
  await worker.terminate();
  await db.destroy();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

void main();
