/**
 * What a batch of 100 invitations costs from the call to its answer, in milliseconds and SQL statements, and
 * how many of their mails a second go through the durable job queue to a mail server on loopback. The
 * database is the one that the service brings along, with its durable settings; the mail server runs in a
 * thread of its own.
 *
 *   node -r @swc-node/register bench/invitations.ts [batches]
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { createApp } from '../src/app.setup';
import { readSettings } from '../src/config';
import { migrate } from '../src/database';
import { startEmbeddedPostgres } from '../src/database/embedded';
import { migrateJobs } from '../src/jobs';
import { makeCaller, makeOrg, type TestCaller } from '../test/support/factories';

const BATCHES = Number(process.argv[2] ?? 20);
const SIZE = 100;
const WARM_UP = 5;

const MAIL_SERVER = `
const { SMTPServer } = require('smtp-server');
const { parentPort } = require('node:worker_threads');
const server = new SMTPServer({
  authOptional: true, disabledCommands: ['STARTTLS', 'AUTH'], disableReverseLookup: true, logger: false,
  onData(stream, session, callback) { stream.resume(); stream.on('end', () => callback()); },
});
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.server.address().port));
`;

interface Call {
  readonly ms: number;
  readonly statements: number;
}

let statements = 0;
const query = Object.getOwnPropertyDescriptor(Client.prototype, 'query')?.value as (
  ...args: unknown[]
) => unknown;
Client.prototype.query = function (this: Client, ...args: unknown[]): unknown {
  statements++;
  return query.apply(this, args);
} as typeof Client.prototype.query;

async function invite(url: string, { orgId, key }: TestCaller, batch: number): Promise<Call> {
  const emails = Array.from({ length: SIZE }, (_, i) => `person-${batch}-${i}@example.com`);
  const before = statements;
  const start = performance.now();
  const response = await fetch(`${url}/api/organizations/${orgId}/members/invite`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Access-Token': key },
    body: JSON.stringify({ emails, role: 'member' }),
  });
  await response.text();
  if (response.status !== 200) throw new Error(`The call was answered with ${response.status}.`);
  return { ms: performance.now() - start, statements: statements - before };
}

async function service(databaseUrl: string, env: Record<string, string>) {
  const app = await createApp({
    settings: readSettings({
      LOG_LEVEL: 'error',
      DATABASE_URL: databaseUrl,
      SECRET_KEY: 'bench',
      INVITE_ADDRESSES_PER_HOUR: '1000000',
      INVITE_CALLS_PER_MINUTE: '1000000',
      ...env,
    }),
    databaseUrl,
    secretKey: 'bench',
    hostId: 'bench',
  });
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  return { app, url: `http://127.0.0.1:${port}`, db: app.get(DataSource) };
}

/** Calls one after the other, with keys and roles looked up anew for each. */
async function measureCalls(databaseUrl: string, env: Record<string, string>): Promise<Call[]> {
  const { app, url, db } = await service(databaseUrl, { APP_ROLE: 'api', ...env });
  const caller = await makeCaller(db, (await makeOrg(db)).id, 'owner');
  const calls: Call[] = [];
  for (let batch = 0; batch < WARM_UP + BATCHES; batch++) {
    await sleep(1_000);
    calls.push(await invite(url, caller, batch));
  }
  await app.close();
  return calls.slice(WARM_UP);
}

async function measureMails(
  databaseUrl: string,
  env: Record<string, string>,
): Promise<{ mails: number; perSecond: number }> {
  const { app, db } = await service(databaseUrl, env);
  const [{ mails }] = await db.query<[{ mails: number }]>('SELECT count(*)::int AS mails FROM invitations');
  const start = performance.now();
  for (;;) {
    await sleep(50);
    const [{ left }] = await db.query<[{ left: number }]>(
      `SELECT count(*)::int AS left FROM invitations WHERE mail_status <> 'sent'`,
    );
    if (left === 0) break;
  }
  const perSecond = Math.round(mails / ((performance.now() - start) / 1000));
  await app.close();
  return { mails, perSecond };
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return Number((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1));
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-invitations-'));
  const quiet = { info: () => undefined, warn: (text: string) => console.warn(text) };
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log: quiet });
  const mailServer = new Worker(MAIL_SERVER, { eval: true });
  const listening = new Promise<number>((resolve) => mailServer.once('message', resolve));
  try {
    await migrate(postgres.url);
    await migrateJobs(postgres.url);
    const port = await listening;
    const env = { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'bench@example.com' };
    const calls = await measureCalls(postgres.url, env);
    const mail = await measureMails(postgres.url, env);
    const times = calls.map(({ ms }) => ms);
    const report = {
      measuredAt: new Date().toISOString(),
      machine: {
        node: process.version,
        cpu: cpus()[0]?.model ?? 'unknown',
        cores: cpus().length,
        memoryGiB: Math.round(totalmem() / 2 ** 30),
      },
      batch: {
        addresses: SIZE,
        calls: calls.length,
        p50Ms: percentile(times, 0.5),
        p95Ms: percentile(times, 0.95),
        statementsAtMost: Math.max(...calls.map((call) => call.statements)),
      },
      mail,
    };
    console.log(report);
    mkdirSync(join(__dirname, 'results'), { recursive: true });
    writeFileSync(join(__dirname, 'results', 'invitations.json'), `${JSON.stringify(report, null, 2)}\n`);
  } finally {
    await mailServer.terminate();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

void main();
