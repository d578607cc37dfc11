/**
 * What it costs when the keys of a table that grows begin with the organization. Each table is there twice, without its
 * triggers and foreign keys: as it is, and with `org_id` in every row and in front of the primary key. Where paths, jobs and other
 * tables know a row by its id alone, that id keeps an index. Rounds over both alternate; ratios are of the median round.
 * What counts is the processor time of the database for a row, and what it writes: the log, and the table with its indexes.
 *
 *   npm run bench -- organization-keys [--rows 20000] [--rounds 9]
 */
import 'reflect-metadata';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startEmbeddedPostgres } from '../src/appliance/embedded-postgres';
import { migrate } from '../src/kernel/database';
import { migrateJobs } from '../src/kernel/jobs';
import { median } from './hot-paths';
import { options } from './options';
import { report } from './report';

const { rows: ROWS, rounds: ROUNDS } = options({ rows: 20_000, rounds: 9 });
const BATCH = 20;

interface Table {
  /** Of one row: columns with expressions of $1, the organization, $2, the parent, and n, a number. */
  readonly columns: Readonly<Record<string, string>>;
  readonly hasOrg: boolean;
  /** Whether others know a row by its id alone. */
  readonly knownById: boolean;
}

const TEXT = `repeat('{"a": "some text of it"}', 20)`;

const TABLES: Readonly<Record<string, Table>> = {
  conversations: {
    columns: {
      id: 'gen_random_uuid()',
      created_by_user_id: '$2',
      sandbox_id: 'gen_random_uuid()',
      start_state: `'ready'`,
    },
    hasOrg: true,
    knownById: true,
  },
  events: {
    columns: {
      conversation_id: '$2',
      id: 'gen_random_uuid()::text',
      seq: 'n',
      kind: `'MessageEvent'`,
      occurred_at: 'clock_timestamp()',
      payload: TEXT,
    },
    hasOrg: false,
    knownById: false,
  },
  pending_messages: {
    columns: {
      id: 'gen_random_uuid()',
      queue_id: '$2',
      rank: 'n',
      role: `'user'`,
      content: TEXT,
      run: 'true',
    },
    hasOrg: false,
    knownById: true,
  },
  webhook_deliveries: {
    columns: {
      id: 'gen_random_uuid()',
      webhook_id: '$2',
      lane: '$2',
      type: `'event.received'`,
      data: TEXT,
      occurred_at: 'clock_timestamp()',
      expires_at: 'clock_timestamp()',
    },
    hasOrg: false,
    knownById: true,
  },
  domain_events: {
    columns: {
      kind: `'event.received'`,
      conversation_id: '$2',
      event: `json_build_object('a', ${TEXT})`,
      position: 'n',
    },
    hasOrg: true,
    knownById: true,
  },
};

interface Key {
  readonly name: string;
  readonly columns: string;
}

const PRIMARY_KEY = `
  SELECT c.relname AS name,
         (SELECT string_agg(a.attname, ', ' ORDER BY a.attnum) FROM pg_attribute a WHERE a.attrelid = c.oid) AS columns
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indrelid = $1::regclass AND i.indisprimary`;

/** Makes both of a table: `as_is_…` and `by_org_…`. */
async function make(client: Client, name: string, { hasOrg, knownById }: Table): Promise<void> {
  await client.query(`CREATE TABLE as_is_${name} (LIKE ${name} INCLUDING ALL)`);
  const byOrg = `by_org_${name}`;
  await client.query(`CREATE TABLE ${byOrg} (LIKE ${name} INCLUDING ALL)`);
  if (!hasOrg) await client.query(`ALTER TABLE ${byOrg} ADD COLUMN org_id uuid NOT NULL`);
  const { rows } = await client.query<Key>(PRIMARY_KEY, [byOrg]);
  for (const { name: key, columns } of rows)
    await client.query(`ALTER TABLE ${byOrg} DROP CONSTRAINT ${key}, ADD PRIMARY KEY (org_id, ${columns})`);
  if (knownById) await client.query(`CREATE INDEX ON ${byOrg} (id)`);
}

interface Cost {
  readonly cpuMicroseconds: number;
  readonly logBytes: number;
  readonly storedBytes: number;
}

async function cpuMicroseconds(pid: number): Promise<number> {
  return Number((await readFile(`/proc/${pid}/schedstat`, 'utf8')).split(' ')[0]) / 1_000;
}

async function turn(client: Client, pid: number, kind: string, name: string, table: Table): Promise<Cost> {
  const full = `${kind}_${name}`;
  const withOrg = table.hasOrg || kind === 'by_org';
  const columns = [...Object.keys(table.columns), ...(withOrg ? ['org_id'] : [])];
  const values = [...Object.values(table.columns), ...(withOrg ? ['$1'] : [])];
  const insert = {
    name: `insert-${full}`,
    text: `INSERT INTO ${full} (${columns.join(', ')})
           SELECT ${values.join(', ')} FROM generate_series($3::int + 1, $3::int + ${BATCH}) AS n
            WHERE $1::uuid IS NOT NULL AND $2::uuid IS NOT NULL`,
  };
  await client.query(`TRUNCATE ${full}`);
  const position = async (): Promise<number> =>
    Number((await client.query<{ at: string }>(`SELECT pg_current_wal_lsn() - '0/0' AS at`)).rows[0]?.at);
  const org = '11111111-1111-4111-8111-111111111111';
  const began = [await position(), await cpuMicroseconds(pid)] as const;
  for (let row = 0; row < ROWS; row += BATCH) {
    const parent = `22222222-2222-4222-8222-${String(row % 4_000).padStart(12, '0')}`;
    await client.query(insert, [org, parent, row]);
  }
  const cost = (await cpuMicroseconds(pid)) - began[1];
  const written = (await position()) - began[0];
  const size = await client.query<{ size: string }>('SELECT pg_total_relation_size($1::regclass) AS size', [
    full,
  ]);
  return {
    cpuMicroseconds: cost / ROWS,
    logBytes: written / ROWS,
    storedBytes: Number(size.rows[0]?.size) / ROWS,
  };
}

function medians(turns: readonly Cost[]): Cost {
  const of = (key: keyof Cost): number => Math.round(median(turns.map((one) => one[key])) * 10) / 10;
  return { cpuMicroseconds: of('cpuMicroseconds'), logBytes: of('logBytes'), storedBytes: of('storedBytes') };
}

async function measure(client: Client, pid: number, name: string, table: Table): Promise<unknown> {
  await make(client, name, table);
  const turns = { as_is: [] as Cost[], by_org: [] as Cost[] };
  for (let round = 0; round <= ROUNDS; round++)
    for (const kind of round % 2 === 0 ? (['as_is', 'by_org'] as const) : (['by_org', 'as_is'] as const)) {
      const cost = await turn(client, pid, kind, name, table);
      // The first round warms up.
      if (round > 0) turns[kind].push(cost);
    }
  const added = (key: keyof Cost): number => {
    const ratios = turns.by_org.map((cost, round) => cost[key] / (turns.as_is[round]?.[key] ?? NaN));
    return Math.round((median(ratios) - 1) * 1_000) / 10;
  };
  const addedPercent = {
    cpu: added('cpuMicroseconds'),
    log: added('logBytes'),
    stored: added('storedBytes'),
  };
  return { asIs: medians(turns.as_is), byOrganization: medians(turns.by_org), addedPercent };
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-organization-keys-'));
  const log = { info: () => undefined, warn: () => undefined };
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log });
  await migrate(postgres.url, migrateJobs);
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  const pid = Number((await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid);
  const results: Record<string, unknown> = {};
  for (const [name, table] of Object.entries(TABLES)) results[name] = await measure(client, pid, name, table);
  report('organization-keys', { rows: ROWS, rowsAtOnce: BATCH, medianOfRounds: ROUNDS, perRow: results });
  await client.end();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

void main();
