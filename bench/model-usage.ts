/**
 * How long the usage of an organization takes to read, its pages of the ledger, and one of its users' own usage, by each of what they
 * are told apart by, over a year; and how many calls a second are reserved and settled at the same budget.
 *
 *   DATABASE_URL=postgres://… npm run bench -- model-usage [--rows 1000000] [--repeats 5] [--calls 2000] [--at-once 100]
 *
 * The database is migrated and filled first, unless its ledger has rows already; never run it on one in use. A million rows take
 * about half a GB.
 */
import { createApp } from '../src/app.setup';
import { ModelCalls } from '../src/agents/budgets';
import { CALLS_OF_ORG } from '../src/agents/budgets/operations/model-calls-page.read-model';
import { OrgListDatabase } from '../src/conversations/conversations/org-list/database/org-list-database';
import {
  ownUsageQuery,
  usageQuery,
} from '../src/conversations/conversations/org-list/usage/usage.read-model';
import { OWN_USAGE_GROUPS, USAGE_GROUPS } from '../src/conversations/conversations/org-list/usage/usage.dto';
import { readSettings } from '../src/kernel/config';
import { createMaintenanceDataSource, migrate } from '../src/kernel/database';
import { gatherExtensions } from '../src/operations/extensions';
import type { DataSource } from 'typeorm';
import { options } from './options';
import { report } from './report';

const given = options({ rows: 1_000_000, repeats: 5, calls: 2_000, 'at-once': 100 });

const AIM_MS = 50;
const CHUNK = 100_000;
const ORG = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const USERS = 200;
const SECRET_KEY = 'a-secret-key-of-benches-0123456789';

/** Users, models, repositories and tags of an organization of some size: few have most of it. */
const CALLS = `
  INSERT INTO model_calls (id, org_id, conversation_id, user_id, repository, tags, model, provider, status, prompt_tokens,
                           completion_tokens, cost, usage_reported, http_status, latency_ms, first_byte_ms, reserved_usd,
                           reserved_tokens, budget_ids, process_id, at, settled_at)
  SELECT md5('call ' || n)::uuid, '${ORG}', md5('conversation ' || n / 50)::uuid, md5('user ' || u)::uuid,
         CASE WHEN r < 0.8 THEN 'acme/repository-' || floor(100 * r ^ 2) END, jsonb_build_object('team', 'team-' || u % 20),
         'provider/model-' || floor(10 * r ^ 2), 'provider', 'ok', floor(50000 * r), floor(2000 * r), round((0.2 * r)::numeric, 6),
         true, 200, 3000, 500, 0.3, 60000, '{}', '${ORG}', at, at
    FROM (SELECT n, floor(${USERS} * random() ^ 2)::int AS u, random() AS r,
                 date_trunc('milliseconds', now() - n * (interval '365 days' / $3::float8)) AS at
            FROM generate_series($1::int, $2::int) n) drawn`;

const DELTAS = `
  INSERT INTO usage_deltas
  SELECT org_id, conversation_day(at), user_id, model, repository, tags, 0, sum(cost), sum(prompt_tokens), sum(completion_tokens), 0, 0
    FROM model_calls GROUP BY 1, 2, 3, 4, 5, 6`;

async function fill(database: DataSource): Promise<void> {
  const [{ count }] = await database.query<[{ count: string }]>('SELECT count(*) FROM model_calls');
  if (Number(count) > 0) return;
  await database.query(`INSERT INTO organizations (id, name) VALUES ('${ORG}', 'Of some size')`);
  await database.query(
    `INSERT INTO users (id, email) SELECT md5('user ' || n)::uuid, 'user-' || n || '@example.org' FROM generate_series(0, ${USERS}) n`,
  );
  for (let first = 1; first <= given.rows; first += CHUNK) {
    await database.query(CALLS, [first, Math.min(given.rows, first + CHUNK - 1), given.rows]);
    process.stderr.write(`${Math.min(given.rows, first + CHUNK - 1)} rows\n`);
  }
  await database.query(DELTAS);
  for (;;) {
    const [{ n }] = await database.query<[{ n: number }]>('SELECT usage_fold(5000, 1000, 100) AS n');
    if (n === 0) break;
  }
  await database.query(
    'VACUUM (ANALYZE) model_calls, usage_by_day, usage_by_month, usage_of_users, usage_deltas, users',
  );
}

/** The median of some runs, after one that fetches what they read into memory. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  await work();
  const taken: number[] = [];
  for (let n = 0; n < given.repeats; n += 1) {
    const began = performance.now();
    await work();
    taken.push(performance.now() - began);
  }
  const [median = NaN] = taken.toSorted((a, b) => a - b).slice(Math.floor(given.repeats / 2));
  return Math.round(median * 100) / 100;
}

async function readings(database: DataSource) {
  const list = new OrgListDatabase(database);
  const day = (ago: number): string => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  const year = { orgId: ORG, from: day(365), to: day(0), limit: 100 };
  const [{ user }] = await database.query<[{ user: string }]>(
    'SELECT user_id AS user FROM model_calls GROUP BY 1 ORDER BY count(*) DESC LIMIT 1',
  );
  const read = ({ sql, parameters }: ReturnType<typeof usageQuery>) => timed(() => list.row(sql, parameters));
  const usage: Record<string, number> = {};
  const ownUsage: Record<string, number> = {};
  for (const group of USAGE_GROUPS) usage[group] = await read(usageQuery(group, year));
  for (const group of OWN_USAGE_GROUPS) ownUsage[group] = await read(ownUsageQuery(group, year, user));
  const page = (filters: readonly unknown[]) =>
    timed(() => CALLS_OF_ORG.rows(database, [ORG, null, null, 101, ...filters]));
  const pages = {
    all: await page([null, null, null, null]),
    'of a user': await page([user, null, null, null]),
    'of a model that there is none of': await page([null, 'none', null, null]),
  };
  await list.onApplicationShutdown();
  return { usage, ownUsageOfTheUserWithMost: ownUsage, pages };
}

/** Reserves and settles calls of one conversation, which count in one budget. */
async function spending(url: string, database: DataSource) {
  const app = await createApp({
    settings: readSettings({
      LOG_LEVEL: 'error',
      DATABASE_URL: url,
      APP_ROLE: 'api',
      SECRET_KEY,
    }),
    databaseUrl: url,
    secretKey: SECRET_KEY,
    hostId: 'bench',
    extensions: await gatherExtensions([], { EXTENSIONS: '' }),
  });
  await app.init();
  const calls = app.get(ModelCalls);
  await database.query(
    `INSERT INTO sandboxes (id, org_id, created_by_user_id, driver, status, last_activity_at)
     VALUES ('${ORG}', '${ORG}', md5('user 0')::uuid, 'external', 'RUNNING', now()) ON CONFLICT DO NOTHING`,
  );
  await database.query(
    `INSERT INTO conversations (id, org_id, created_by_user_id, sandbox_id, start_state)
     VALUES ('${ORG}', '${ORG}', md5('user 0')::uuid, '${ORG}', 'ready') ON CONFLICT DO NOTHING`,
  );
  await database.query(
    `INSERT INTO budgets (id, org_id, scope, subject, period, limit_usd, created_by_user_id)
     VALUES ('${ORG}', '${ORG}', 'organization', '', 'month', 1000000, '${ORG}') ON CONFLICT DO NOTHING`,
  );
  const tokens = { prompt: 1_000, completion: 100, cacheRead: 0, cacheWrite: 0 };
  const outcome = {
    tokens,
    cost: 0.001,
    status: 'ok',
    httpStatus: 200,
    latencyMs: 1,
    firstByteMs: 1,
    usageReported: true,
  } as const;
  const waits: number[] = [];
  const settled: Promise<void>[] = [];
  let left = given.calls;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: given['at-once'] }, async () => {
      while (left-- > 0) {
        const asked = performance.now();
        const call = {
          conversationId: ORG,
          model: 'provider/model',
          provider: 'provider',
          mostCost: 0.01,
          mostTokens: 2_000,
        };
        const reservation = await calls.reserve(call);
        waits.push(performance.now() - asked);
        settled.push(calls.settle(reservation, outcome));
      }
    }),
  );
  await Promise.all(settled);
  const seconds = (performance.now() - began) / 1_000;
  const alone = await timed(async () => {
    const call = {
      conversationId: ORG,
      model: 'provider/model',
      provider: 'provider',
      mostCost: 0.01,
      mostTokens: 2_000,
    };
    settled.push(calls.settle(await calls.reserve(call), outcome));
  });
  await Promise.all(settled);
  await app.close();
  const sorted = waits.toSorted((a, b) => a - b);
  return {
    callsPerSecond: Math.round(given.calls / seconds),
    reserveMedianMs: Math.round((sorted[Math.floor(sorted.length / 2)] ?? NaN) * 100) / 100,
    reserveAloneMs: alone,
  };
}

async function main(url: string): Promise<void> {
  await migrate(url, () => Promise.resolve());
  const database = await createMaintenanceDataSource(url, 2).initialize();
  await fill(database);
  const [{ count }] = await database.query<[{ count: number }]>(
    'SELECT count(*)::int AS count FROM model_calls',
  );
  report('model-usage', {
    rows: count,
    aimMs: AIM_MS,
    ...(await readings(database)),
    atOnce: given['at-once'],
    spending: await spending(url, database),
  });
  await database.destroy();
}

const url = process.env['DATABASE_URL'];
if (url === undefined) throw new Error('DATABASE_URL says where.');
void main(url);
