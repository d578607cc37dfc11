/**
 * Fills a database with realistic conversations: the first organization holds half of them or `--largest`, the next three
 * a tenth, a hundredth and a thousandth, the others share the rest. Creators and models are skewed, titles
 * are made of words, a few of them rare; some are missing, some conversations belong to others.
 *
 *   DATABASE_URL=postgres://… npm run bench:seed -- --conversations 1000000 --orgs 50 [--largest 0.5]
 */
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { migrate } from '../src/kernel/database';
import { migrateJobs } from '../src/kernel/jobs';

const BATCH = 25_000;

const WORDS =
  `fix add remove update refactor test flaky login page button form the a of in for to with from button menu
  checkout cart order invoice payment refund user account password reset email template search index query
  slow cache queue worker retry timeout error crash leak memory cpu disk log metric alert dashboard chart
  export import csv json api client server proxy socket stream upload download image video audio file folder
  path name title field label color theme dark light mobile tablet desktop layout grid table row column cell
  sort filter page scroll modal dialog tooltip icon font style script build deploy release branch merge
  conflict rebase commit review comment issue ticket sprint plan estimate docs readme guide tutorial example
  sample demo fixture mock stub spec unit integration coverage lint format type check compile bundle minify
  split lazy load preload render hydrate mount effect state store reducer action event handler hook context
  provider consumer module package version upgrade migrate schema constraint trigger view function`.split(
    /\s+/,
  );

const FIRST_NAMES = [
  'Ada',
  'Bea',
  'Carl',
  'Dora',
  'Emil',
  'Finn',
  'Greta',
  'Hugo',
  'Ida',
  'Jon',
  'Kai',
  'Lea',
];
const LAST_NAMES = ['Arnold', 'Berg', 'Conrad', 'Dahl', 'Ernst', 'Falk', 'Grau', 'Hart', 'Imhof', 'Jung'];

/** The share of all conversations in each organization. */
function sharesOf(conversations: number, orgs: number, largest: number): number[] {
  const large = [largest, 0.1, 0.01, 0.001].slice(0, orgs).map((share) => Math.round(conversations * share));
  const others = orgs - large.length;
  const rest = conversations - large.reduce((sum, share) => sum + share, 0);
  if (others === 0) return [(large[0] ?? 0) + rest, ...large.slice(1)];
  return [...large, ...Array.from({ length: others }, (_, i) => Math.floor((rest + i) / others))];
}

/** The users of an organization; the first ones start most conversations. */
const USERS = `
  INSERT INTO users (id, email, name)
  SELECT md5('user ' || $1 || ' ' || n)::uuid,
         lower(f || '.' || l) || '.' || $1 || '.' || n || '@' || 'org' || $1 || '.example.com',
         CASE WHEN n % 10 <> 0 THEN f || ' ' || l END
    FROM generate_series(0, $2::integer - 1) n,
         LATERAL (SELECT ($3::text[])[1 + n % 12] AS f, ($4::text[])[1 + (n / 12) % 10] AS l) names
  ON CONFLICT DO NOTHING`;

/**
 * One batch: sandboxes first, most of them deleted, then the conversations in them. Rows are stored in the order of
 * creation, as if written one by one over time: each is newer than those of earlier batches.
 */
const CONVERSATIONS = `
  WITH drawn AS MATERIALIZED (
    SELECT n, gen_random_uuid() AS id,
           md5('user ' || $1 || ' ' || floor($2::integer * random() ^ 3)::integer)::uuid AS user_id,
           now() - interval '730 days' * (1 - ($6::integer + n - random()) / $7::integer) ^ 1.5 AS created_at,
           random() AS s, random() AS t, random() AS m, random() AS e, random() AS p, random() ^ 6 AS used,
           random() AS age, random() AS box
      FROM generate_series(1, $3::integer) n
  ), boxes AS (
    INSERT INTO sandboxes (id, org_id, created_by_user_id, driver, status, port, last_activity_at)
    SELECT md5(id::text)::uuid, $4::uuid, user_id, 'process',
           CASE WHEN box < 0.6 THEN 'MISSING' WHEN box < 0.89 THEN 'PAUSED' WHEN box < 0.9 THEN 'ERROR'
                WHEN box < 0.9001 THEN 'STARTING' ELSE 'RUNNING' END,
           41000, created_at
      FROM drawn WHERE box < 0.9002
  )
  INSERT INTO conversations (id, org_id, created_by_user_id, parent_conversation_id, sandbox_id, start_state,
    title, llm_model, execution_status, selected_repository, selected_branch, git_provider, trigger, pr_number,
    pr_merged, tags, accumulated_cost, prompt_tokens, completion_tokens, cache_read_tokens, created_at, updated_at)
  SELECT id, $4::uuid, user_id, CASE WHEN p < 0.15 THEN md5('parent' || n)::uuid END,
         CASE WHEN box < 0.95 THEN md5(id::text)::uuid END,
         CASE WHEN box < 0.97 THEN 'ready' ELSE 'failed' END,
         CASE WHEN t < 0.05 THEN NULL WHEN t < 0.08 THEN 'New conversation'
              WHEN t > 0.99997 THEN 'Xylophone tuning ' || n
              ELSE (SELECT initcap(($5::text[])[1 + floor(random() * cardinality($5::text[]))::integer]) || ' ' ||
                           string_agg(($5::text[])[1 + floor(random() * cardinality($5::text[]))::integer], ' ')
                      FROM generate_series(1, 3 + (n % 5)) w) END,
         CASE WHEN m < 0.03 THEN NULL ELSE 'provider-' || (floor(8 * m ^ 2)::integer) || '/model-' || floor(60 * m ^ 6)::integer END,
         CASE WHEN e < 0.05 THEN NULL WHEN e < 0.25 THEN 'idle' WHEN e < 0.27 THEN 'running'
              WHEN e < 0.35 THEN 'paused' WHEN e < 0.92 THEN 'finished' WHEN e < 0.99 THEN 'error' ELSE 'stuck' END,
         CASE WHEN s < 0.8 THEN 'acme/repository-' || floor(200 * s)::integer END,
         CASE WHEN s < 0.7 THEN 'main' END, CASE WHEN s < 0.8 THEN 'github' END,
         CASE WHEN s < 0.6 THEN 'gui' WHEN s < 0.8 THEN 'resolver' WHEN s < 0.9 THEN 'slack' END,
         CASE WHEN s < 0.2 THEN ARRAY[n::bigint] ELSE '{}' END, CASE WHEN s < 0.2 THEN s < 0.1 END,
         CASE WHEN s < 0.1 THEN '{"team": "shop"}'::jsonb ELSE '{}' END,
         round((50 * used)::numeric, 6)::double precision, (4e6 * used)::bigint, (1e5 * used)::bigint, (2e6 * used)::bigint,
         created_at, least(now(), created_at + interval '10 days' * age ^ 4)
    FROM drawn`;

/** The indexes that are created after the rows, which takes a fraction of the time; not those of constraints. */
const INDEXES = `
  SELECT indexname, indexdef FROM pg_indexes
   WHERE schemaname = current_schema() AND tablename IN ('conversations', 'sandboxes')
     AND indexdef NOT LIKE 'CREATE UNIQUE%'`;

async function seed(url: string, shares: readonly number[]): Promise<void> {
  await migrate(url, migrateJobs);
  const client = new Client(url);
  await client.connect();
  try {
    const { rows: indexes } = await client.query<{ indexname: string; indexdef: string }>(INDEXES);
    for (const { indexname } of indexes) await client.query(`DROP INDEX ${indexname}`);
    for (const [index, share] of shares.entries()) {
      const { rows } = await client.query<{ id: string }>(
        'INSERT INTO organizations (id, name) VALUES (gen_random_uuid(), $1) RETURNING id',
        [`Bench ${index} of ${share}`],
      );
      const org = rows[0]?.id;
      const users = Math.min(1_000, Math.max(5, Math.round(share / 500)));
      await client.query(USERS, [String(index), users, FIRST_NAMES, LAST_NAMES]);
      for (let done = 0; done < share; done += BATCH) {
        const count = Math.min(BATCH, share - done);
        await client.query(CONVERSATIONS, [String(index), users, count, org, WORDS, done, share]);
      }
      process.stderr.write(`organization ${index + 1} of ${shares.length}: ${share}\n`);
    }
    await client.query(`SET maintenance_work_mem = '512MB'`);
    for (const { indexdef } of indexes) await client.query(indexdef);
    for (const fold of [
      'conversation_counts_fold(20000)',
      'conversation_completed_fold(20000)',
      'conversation_sandbox_fold(20000)',
      'usage_fold(20000, 1000, 1000)',
    ])
      for (let folded = 1; folded > 0;) {
        const { rows } = await client.query<{ folded: number }>(`SELECT ${fold} AS folded`);
        folded = rows[0]?.folded ?? 0;
      }
    await client.query(
      `VACUUM (ANALYZE) conversations, sandboxes, users, conversation_counts, conversation_usage, usage_by_day,
                        conversation_sandbox_statuses, conversation_sandbox_counts, conversation_completed_counts`,
    );
    await client.query(
      'VACUUM conversation_count_deltas, conversation_completed_deltas, conversation_sandbox_changes, usage_deltas',
    );
  } finally {
    await client.end();
  }
}

const { values } = parseArgs({
  options: {
    conversations: { type: 'string', default: '1000000' },
    orgs: { type: 'string', default: '50' },
    largest: { type: 'string', default: '0.5' },
  },
});
const url = process.env.DATABASE_URL;
if (url === undefined) throw new Error('Set DATABASE_URL to the database to fill.');
const began = performance.now();
seed(url, sharesOf(Number(values.conversations), Number(values.orgs), Number(values.largest))).then(
  () => process.stderr.write(`filled in ${Math.round((performance.now() - began) / 1000)} s\n`),
  (error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exitCode = 1;
  },
);
