/**
 * How long pages of the audit log take, for every filter alone and all of them together, with values that most rows have, few, or
 * none: in the largest organization and in one of middling size.
 *
 *   DATABASE_URL=postgres://… npm run bench -- audit-log [--rows 10000000] [--organizations 2000] [--repeats 5]
 *
 * The database is migrated and filled first, unless its log has as many rows already; never run it on one in use. Ten million rows
 * take about 15 GB and half an hour.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { AuditLogQuery } from '../src/accounts/audit-log/reading/audit-log-queries.dto';
import { AuditLogList } from '../src/accounts/audit-log/reading/list/audit-log-list';
import { AuditLogDatabase } from '../src/accounts/audit-log/reading/rows/audit-log-database';
import { EVERYTHING } from '../src/accounts/audit-log/reading/rows/audit-filter';
import { oldestRows } from '../src/accounts/audit-log/reading/rows/audit-rows.read-model';
import { createMaintenanceDataSource, migrate } from '../src/kernel/database';
import { options } from './options';
import { report } from './report';

const { rows, organizations, repeats } = options({ rows: 10_000_000, organizations: 2_000, repeats: 5 });

/** Rows that one statement makes. */
const CHUNK = 500_000;
const AIM_MS = 50;
const NOT_GONE = new AbortController().signal;

/** Users of each organization; the first does two fifths of all, as a service account would. */
const USERS = 50;

/** The operations that there are, in the order of how often they are called. */
function actions(): string[] {
  const document = JSON.parse(readFileSync(join(__dirname, '..', 'openapi.json'), 'utf8')) as {
    paths: Record<string, Record<string, { operationId?: string }>>;
  };
  const ids = Object.values(document.paths).flatMap((item) =>
    Object.values(item).flatMap(({ operationId }) => operationId ?? []),
  );
  const frequent = ['sendMessage', 'queuePendingMessage', 'startAppConversation', 'updateAppConversation'];
  return [...frequent, ...ids.filter((id) => !frequent.includes(id))];
}

/** The largest organization has 45 of 100 rows; happening goes on for 400 days, and is written up to a tenth of a second later. */
const FILL = `
  INSERT INTO audit_log (position, org_id, id, at, actor_kind, actor_user_id, action, target_type, target_id, outcome, entry, hash)
  SELECT n, org, id, at, 'user', actor, action, 'conversation', target, outcome,
         json_build_object('id', id, 'org_id', org, 'at', to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
           'actor', json_build_object('kind', 'user', 'user_id', actor, 'key_prefix', 'sk-oh-abcdef', 'session', false),
           'action', action, 'target', json_build_object('type', 'conversation', 'id', target),
           'changes', json_build_array(json_build_object('table', 'conversations', 'id', target,
             'before', json_build_object('title', 'A title that was there'), 'after', json_build_object('title', 'Another title'))),
           'outcome', outcome, 'status', 200, 'code', null, 'request_id', id, 'personal_digest', repeat('0', 64))::text,
         sha256(id::text::bytea)
    FROM (SELECT n, md5('row ' || n)::uuid AS id, md5('org ' || o)::uuid AS org,
                 md5('user ' || o || ' ' || u)::uuid AS actor, ($4::text[])[a] AS action,
                 md5('conversation ' || o || ' ' || t) AS target,
                 CASE WHEN r < 0.98 THEN 'success' WHEN r < 0.995 THEN 'refused' ELSE 'failed' END AS outcome,
                 date_trunc('milliseconds', now() - interval '400 days'
                   + n * (interval '400 days' / $3::float8) - x * interval '100 milliseconds') AS at
            FROM (SELECT n, CASE WHEN random() < 0.45 THEN 0 ELSE floor($5::int * random() ^ 3)::int END AS o,
                         CASE WHEN random() < 0.4 THEN 0 ELSE floor(${USERS} * random() ^ 2)::int END AS u,
                         1 + floor(cardinality($4::text[]) * random() ^ 5)::int AS a,
                         floor(20000 * random() ^ 4)::int AS t, random() AS r, random() AS x
                    FROM generate_series($1::bigint, $2::bigint) n) drawn) made`;

async function fill(database: DataSource): Promise<void> {
  const [{ count }] = await database.query<[{ count: string }]>('SELECT count(*) FROM audit_log');
  if (Number(count) >= rows) return;
  if (Number(count) > 0) throw new Error(`The log has ${count} rows: take an empty database.`);
  await database.query(
    `INSERT INTO organizations (id, name) SELECT md5('org ' || n)::uuid, 'Organization ' || n FROM generate_series(0, $1::int - 1) n`,
    [organizations],
  );
  await database.query(
    `INSERT INTO users (id, email, name)
     SELECT md5('user ' || o || ' ' || u)::uuid, 'user-' || o || '-' || u || '@example.org', 'User ' || u
       FROM generate_series(0, $1::int - 1) o, generate_series(0, ${USERS} - 1) u`,
    [organizations],
  );
  // Indexes are made of all rows at once.
  const indexes = await database.query<{ name: string; definition: string }[]>(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
      WHERE tablename = 'audit_log' AND indexname <> 'audit_log_pkey'`,
  );
  for (const { name } of indexes) await database.query(`DROP INDEX ${name}`);
  for (let first = 1; first <= rows; first += CHUNK) {
    const last = Math.min(rows, first + CHUNK - 1);
    await database.query(FILL, [first, last, rows, actions(), organizations]);
    process.stderr.write(`${last} rows\n`);
  }
  await database.query(
    `INSERT INTO audit_personal (position, user_id, personal, salt)
     SELECT position, actor_user_id, '{"address":"203.0.113.7","user_agent":"Mozilla/5.0"}', substr(hash, 1, 16) FROM audit_log`,
  );
  await database.query(`SET maintenance_work_mem = '1GB'`);
  for (const { definition } of indexes) await database.query(definition);
  await database.query(`SELECT setval('domain_event_positions', $1)`, [rows]);
  await database.query('VACUUM (ANALYZE) audit_log, audit_personal, users, organizations');
}

type Filters = Partial<Pick<AuditLogQuery, 'since' | 'until' | 'actor' | 'action' | 'target' | 'outcome'>>;

/** What each filter is asked for, from what most rows have to what none has. */
async function choices(database: DataSource, org: string): Promise<Record<string, Record<string, Filters>>> {
  const values = async (column: string): Promise<string[]> => {
    const found = await database.query<{ value: string }[]>(
      `SELECT ${column}::text AS value FROM audit_log WHERE org_id = $1 GROUP BY 1 ORDER BY count(*) DESC`,
      [org],
    );
    return found.map(({ value }) => value);
  };
  const pick = (of: 'actor' | 'action' | 'target', found: readonly string[]): Record<string, Filters> => ({
    any: {},
    'the most frequent': { [of]: found[0] },
    'one in the middle': { [of]: found[Math.floor(found.length / 2)] },
    'the rarest': { [of]: found.at(-1) },
    none: { [of]: '00000000-0000-4000-8000-000000000000' },
  });
  const day = (ago: number): Date => new Date(Date.now() - ago * 86_400_000);
  return {
    actor: pick('actor', await values('actor_user_id')),
    action: pick('action', await values('action')),
    target: pick('target', await values('target_id')),
    outcome: {
      any: {},
      success: { outcome: 'success' },
      refused: { outcome: 'refused' },
      failed: { outcome: 'failed' },
    },
    time: {
      any: {},
      'the last day': { since: day(1) },
      'a day a year ago': { since: day(366), until: day(365) },
      'before last year': { until: day(365) },
      'the future': { since: day(-1) },
    },
  };
}

/** All that filters can be together. */
function combined(chosen: Record<string, Record<string, Filters>>): { name: string; filters: Filters }[] {
  return Object.entries(chosen).reduce<{ name: string; filters: Filters }[]>(
    (so, [filter, all]) =>
      so.flatMap(({ name, filters }) =>
        Object.entries(all).map(([value, added]) => ({
          name: value === 'any' ? name : [name, `${filter}: ${value}`].filter(Boolean).join(', '),
          filters: { ...filters, ...added },
        })),
      ),
    [{ name: '', filters: {} }],
  );
}

/** The median of some runs, after one that fetches what they read into memory. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  await work();
  const taken: number[] = [];
  for (let n = 0; n < repeats; n += 1) {
    const began = performance.now();
    await work();
    taken.push(performance.now() - began);
  }
  const [median = NaN] = taken.toSorted((a, b) => a - b).slice(Math.floor(repeats / 2));
  return Math.round(median * 100) / 100;
}

async function measure(database: DataSource, org: string) {
  const log = new AuditLogDatabase(database);
  const list = new AuditLogList(log);
  const page = (asked: Partial<AuditLogQuery>) =>
    list.page(org, Object.assign(new AuditLogQuery(), asked), NOT_GONE);
  const cases = combined(await choices(database, org));
  const taken: { filters: string; ms: number }[] = [];
  for (const { name, filters } of cases)
    taken.push({ filters: name || 'none', ms: await timed(() => page(filters)) });
  const [{ count, middle, at }] = await database.query<[{ count: number; middle: string; at: Date }]>(
    `SELECT count(*)::int, percentile_disc(0.5) WITHIN GROUP (ORDER BY position) AS middle,
            percentile_disc(0.5) WITHIN GROUP (ORDER BY at) AS at FROM audit_log WHERE org_id = $1`,
    [org],
  );
  const others = {
    'a page behind a position in the middle': await timed(() => page({ after: Number(middle) })),
    'a thousand rows of an export, from the middle': await timed(() =>
      log.rows(oldestRows(org, EVERYTHING, { at, position: middle }, 1_000), NOT_GONE),
    ),
  };
  await log.onApplicationShutdown();
  const slowest = taken.toSorted((a, b) => b.ms - a.ms);
  const middleMs = slowest[Math.floor(slowest.length / 2)]?.ms;
  return {
    rows: count,
    combinations: taken.length,
    medianMs: middleMs,
    [`longerThan${AIM_MS}Ms`]: taken.filter(({ ms }) => ms > AIM_MS).length,
    slowest: slowest.slice(0, 15),
    alone: taken.filter(({ filters }) => !filters.includes(',')),
    others,
  };
}

async function main(url: string): Promise<void> {
  await migrate(url, () => Promise.resolve());
  const database = await createMaintenanceDataSource(url, 2).initialize();
  await fill(database);
  const orgs = await database.query<{ org_id: string }[]>(
    'SELECT org_id FROM audit_log GROUP BY 1 ORDER BY count(*) DESC',
  );
  const of = (n: number): string => orgs[n]?.org_id ?? '';
  const [{ size }] = await database.query<[{ size: string }]>(
    `SELECT pg_size_pretty(pg_total_relation_size('audit_log')) AS size`,
  );
  report('audit-log', {
    rows,
    organizations: orgs.length,
    size,
    aimMs: AIM_MS,
    largest: await measure(database, of(0)),
    middling: await measure(database, of(Math.floor(orgs.length / 2))),
  });
  await database.destroy();
}

const url = process.env.DATABASE_URL;
if (url === undefined) throw new Error('DATABASE_URL names the database to fill and to measure.');
main(url).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
