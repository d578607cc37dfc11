/**
 * The cost of a batch of 100 invitations from request to response, in milliseconds and SQL statements, and how many
 * of their mails per second go through the durable job queue to a mail server on loopback, compared with the same
 * mails sent in a loop. Service, mail server and client are separate processes; the database is the embedded one,
 * with its durable settings.
 *
 *   npm run bench -- invitations [--batches 20]
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { createDataSource, migrate } from '../src/kernel/database';
import { startEmbeddedPostgres } from '../src/appliance/embedded-postgres';
import { migrateJobs } from '../src/kernel/jobs';
import { makeCaller, makeOrg, type TestCaller } from '../test/support/service/factories';
import { options } from './options';
import { report } from './report';

const { batches: BATCHES } = options({ batches: 20 });
const SIZE = 100;
const WARM_UP = 5;

interface Call {
  readonly ms: number;
  readonly statements: number;
}

/** Starts a process of the measurement and waits for the first number it reports. */
async function part(name: string, ...args: string[]): Promise<{ child: ChildProcess; reported: number }> {
  const child = fork(join(__dirname, 'invitations', `${name}.ts`), args, {
    execArgv: ['--require', '@swc-node/register'],
  });
  return { child, reported: await numberFrom(child) };
}

async function numberFrom(child: ChildProcess): Promise<number> {
  const [message] = (await once(child, 'message')) as unknown[];
  return Number(message);
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.disconnect();
  await ended;
}

async function statementsOf(service: ChildProcess): Promise<number> {
  const response = numberFrom(service);
  service.send('statements');
  return response;
}

async function invite(
  { child, reported: port }: { child: ChildProcess; reported: number },
  { orgId, key }: TestCaller,
  batch: number,
): Promise<Call> {
  const emails = Array.from({ length: SIZE }, (_, i) => `person-${batch}-${i}@example.com`);
  const before = await statementsOf(child);
  const start = performance.now();
  const response = await fetch(`http://127.0.0.1:${port}/api/organizations/${orgId}/members/invite`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Access-Token': key },
    body: JSON.stringify({ emails, role: 'member' }),
  });
  await response.text();
  const ms = performance.now() - start;
  if (response.status !== 200) throw new Error(`The call was answered with ${response.status}.`);
  return { ms, statements: (await statementsOf(child)) - before };
}

/** Calls one after the other, with keys and roles looked up for each. */
async function measureCalls(db: DataSource, env: Record<string, string>): Promise<Call[]> {
  const service = await part('service', JSON.stringify({ ...env, APP_ROLE: 'api' }));
  const caller = await makeCaller(db, (await makeOrg(db)).id, 'owner');
  const calls: Call[] = [];
  for (let batch = 0; batch < WARM_UP + BATCHES; batch++) {
    await sleep(1_100);
    calls.push(await invite(service, caller, batch));
  }
  await stop(service.child);
  return calls.slice(WARM_UP);
}

/** From the first mail recorded as sent to the last one. */
async function measureMails(
  db: DataSource,
  env: Record<string, string>,
): Promise<{ mails: number; perSecond: number; statementsPerMail: number }> {
  const sent = async (): Promise<number> => {
    const [{ count }] = await db.query<[{ count: number }]>(
      `SELECT count(*)::int FROM invitations WHERE mail_status = 'sent'`,
    );
    return count;
  };
  const mails = (BATCHES + WARM_UP) * SIZE;
  const { child } = await part('service', JSON.stringify({ ...env, APP_ROLE: 'worker' }));
  let first = 0;
  while ((first = await sent()) === 0) await sleep(5);
  const start = performance.now();
  const before = await statementsOf(child);
  while ((await sent()) < mails) await sleep(50);
  const seconds = (performance.now() - start) / 1000;
  const statements = (await statementsOf(child)) - before;
  await stop(child);
  return {
    mails,
    perSecond: Math.round((mails - first) / seconds),
    statementsPerMail: Number((statements / (mails - first)).toFixed(2)),
  };
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return Number((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1));
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-invitations-'));
  const log = { info: () => undefined, warn: (text: string) => console.warn(text) };
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log });
  const mailServer = await part('mail-server');
  await migrate(postgres.url, migrateJobs);
  const db = await createDataSource(postgres.url, 2).initialize();
  try {
    const env = {
      DATABASE_URL: postgres.url,
      SECRET_KEY: 'a-secret-key-of-tests-0123456789',
      INVITE_ADDRESSES_PER_HOUR: '1000000',
      INVITE_CALLS_PER_MINUTE: '1000000',
      SMTP_URL: `smtp://127.0.0.1:${mailServer.reported}`,
      MAIL_FROM: 'bench@example.com',
    };
    const calls = await measureCalls(db, env);
    const mail = await measureMails(db, env);
    const bare = await part('bare-sender', String(mailServer.reported), String(mail.mails));
    const times = calls.map(({ ms }) => ms);
    report('invitations', {
      batch: {
        addresses: SIZE,
        calls: calls.length,
        p50Ms: percentile(times, 0.5),
        p95Ms: percentile(times, 0.95),
        statementsAtMost: Math.max(...calls.map((call) => call.statements)),
      },
      mail: {
        ...mail,
        bareLoopPerSecond: bare.reported,
        shareOfBareLoop: Number((mail.perSecond / bare.reported).toFixed(2)),
      },
    });
  } finally {
    mailServer.child.kill();
    await db.destroy();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

void main();
