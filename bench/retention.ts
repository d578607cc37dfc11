/**
 * How fast retention removes events, and what callers of another organization notice: one service in this process over a
 * PostgreSQL of its own, whose organization list is read over HTTP meanwhile.
 *
 *   npm run bench -- retention [--conversations 1000] [--events 1000] [--seconds 10] [--callers 4]
 *
 * `list` is what a page takes that callers ask for one after the other, while nothing else happens (`alone`) and during the run
 * (`meanwhile`); `p99Ratio` compares them. `perSecond` counts events, and conversations that are deleted and emptied then.
 */
import 'reflect-metadata';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DataSource } from 'typeorm';
import { createApp } from '../src/app.setup';
import { startEmbeddedPostgres } from '../src/appliance/embedded-postgres';
import { readSettings } from '../src/kernel/config';
import { migrate } from '../src/kernel/database';
import { migrateJobs } from '../src/kernel/jobs';
import { NO_EXTENSIONS } from '../src/operations/extensions';
import { RetentionRuns } from '../src/operations/retention';
import { makeCaller, makeOrg, type TestCaller } from '../test/support/service/factories';
import { options } from './options';
import { report } from './report';

const {
  conversations: CONVERSATIONS,
  events: EVENTS,
  seconds: SECONDS,
  callers: CALLERS,
} = options({ conversations: 1_000, events: 1_000, seconds: 10, callers: 4 });
/** Of the organization whose list is read. */
const LISTED = 5_000;
const SECRET_KEY = 'a-secret-key-of-tests-0123456789';

/** Conversations that finished long ago, without a sandbox. */
async function fill(db: DataSource, owner: TestCaller, conversations: number, events: number): Promise<void> {
  await db.query(
    `INSERT INTO conversations (id, org_id, created_by_user_id, start_state, execution_status, title, created_at, updated_at)
     SELECT gen_random_uuid(), $1, $2, 'ready', 'finished', 'Conversation ' || n, now() - interval '100 days',
            now() - interval '90 days' - n * interval '1 second'
       FROM generate_series(1, $3::integer) n`,
    [owner.orgId, owner.userId, conversations],
  );
  if (events === 0) return;
  await db.query(
    `INSERT INTO event_logs (conversation_id, last_seq, bytes)
     SELECT id, $2, $2::bigint * 900 FROM conversations WHERE org_id = $1`,
    [owner.orgId, events],
  );
  for (let from = 1; from <= events; from += 50)
    await db.query(
      `INSERT INTO events (conversation_id, id, seq, kind, occurred_at, payload)
       SELECT c.id, 'event-' || n, n, 'MessageEvent', c.updated_at, rpad('{"kind":"MessageEvent","text":"', 898, 'x') || '"}'
         FROM conversations c, generate_series($2::integer, least($2 + 49, $3::integer)) n WHERE c.org_id = $1`,
      [owner.orgId, from, events],
    );
  await db.query(
    `INSERT INTO event_bytes (org_id, part, bytes)
     SELECT org_id, event_bytes_part(conversation_id), sum(bytes) FROM event_logs WHERE org_id = $1 GROUP BY 1, 2`,
    [owner.orgId],
  );
  await db.query('TRUNCATE domain_events');
  await db.query('ANALYZE');
}

/** Reads pages of a list until it is over. @returns what each took */
async function readLists(url: string, caller: TestCaller, isOver: () => boolean): Promise<number[]> {
  const times: number[] = [];
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      while (!isOver()) {
        const began = performance.now();
        const response = await fetch(`${url}/api/organizations/${caller.orgId}/conversations?limit=20`, {
          headers: { 'X-Access-Token': caller.key },
        });
        await response.arrayBuffer();
        if (response.status !== 200) throw new Error(`The list answered ${response.status}.`);
        times.push(performance.now() - began);
      }
    }),
  );
  return times;
}

function percentiles(times: readonly number[]): { count: number; p50: number; p99: number } {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    Math.round((sorted[Math.floor(sorted.length * share)] ?? NaN) * 100) / 100;
  return { count: times.length, p50: at(0.5), p99: at(0.99) };
}

/** Has an organization keep something for thirty days, and what is due announced a week ago. */
async function announce(app: NestExpressApplication, orgId: string, kind: string): Promise<void> {
  const db = app.get(DataSource);
  await db.query(
    `INSERT INTO org_retention (org_id, ${kind}_days) VALUES ($1, 30)
     ON CONFLICT (org_id) DO UPDATE SET ${kind}_days = 30`,
    [orgId],
  );
  await app.get(RetentionRuns, { strict: false }).run(orgId, 'system');
  await db.query(`UPDATE retention_announcements SET announced_at = announced_at - interval '8 days'`);
}

/** Removes what is due, while others read lists. */
async function measured(
  app: NestExpressApplication,
  url: string,
  orgId: string,
  others: TestCaller,
): Promise<{ seconds: number; removed: object; list: ReturnType<typeof percentiles> }> {
  let isOver = false;
  const lists = readLists(url, others, () => isOver);
  const began = performance.now();
  const { removed } = await app.get(RetentionRuns, { strict: false }).run(orgId, 'system');
  const seconds = (performance.now() - began) / 1_000;
  isOver = true;
  return { seconds, removed, list: percentiles(await lists) };
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-retention-'));
  const log = { info: () => undefined, warn: () => undefined };
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log });
  await migrate(postgres.url, migrateJobs);
  const app = await createApp({
    settings: readSettings({
      LOG_LEVEL: 'silent',
      SECRET_KEY,
      DATABASE_URL: postgres.url,
      DATA_DIR: folder,
      APP_ROLE: 'api',
      READ_CALLS_PER_MINUTE: '0',
    }),
    databaseUrl: postgres.url,
    secretKey: SECRET_KEY,
    hostId: 'bench',
    extensions: NO_EXTENSIONS,
  });
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const db = app.get(DataSource);
  const [owner, others] = [
    await makeCaller(db, (await makeOrg(db)).id, 'owner'),
    await makeCaller(db, (await makeOrg(db)).id, 'owner'),
  ];
  await fill(db, others, LISTED, 0);
  await fill(db, owner, CONVERSATIONS, EVENTS);
  const seconds = async (): Promise<ReturnType<typeof percentiles>> => {
    const until = performance.now() + SECONDS * 1_000;
    return percentiles(await readLists(url, others, () => performance.now() > until));
  };
  await seconds();
  const alone = await seconds();
  await announce(app, owner.orgId, 'events');
  const events = await measured(app, url, owner.orgId, others);
  await announce(app, owner.orgId, 'conversations');
  const conversations = await measured(app, url, owner.orgId, others);
  const ratio = (p99: number): number => Math.round((100 * p99) / alone.p99) / 100;
  report('retention', {
    conversations: CONVERSATIONS,
    eventsOfEach: EVENTS,
    callers: CALLERS,
    results: {
      perSecond: {
        events: Math.round((CONVERSATIONS * EVENTS) / events.seconds),
        conversations: Math.round(CONVERSATIONS / conversations.seconds),
      },
      removed: { ...events.removed, ...conversations.removed },
      list: { alone, meanwhileOfEvents: events.list, meanwhileOfConversations: conversations.list },
      p99Ratio: { events: ratio(events.list.p99), conversations: ratio(conversations.list.p99) },
    },
  });
  await app.close();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

void main();
