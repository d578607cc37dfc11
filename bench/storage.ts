/**
 * Bytes in PostgreSQL for each conversation, event, message and domain event, with and without the indexes, and what that
 * makes of ten million conversations. Events and messages are stored by the service's own code.
 *
 *   npm run bench -- storage [--conversations 100000] [--events 10] [--messages 5] [--textBytes 600]
 */
import 'reflect-metadata';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { newId } from '../src/kernel/common';
import { createDataSource, createMaintenanceDataSource, migrate, sessionUrl } from '../src/kernel/database';
import { startEmbeddedPostgres } from '../src/appliance/embedded-postgres';
import { migrateJobs } from '../src/kernel/jobs';
import { makeCaller, makeOrg } from '../test/support/service/factories';
import {
  type Operation,
  type Owner,
  openConversations,
  queuedMessage,
  receivedEvent,
  startService,
} from './hot-paths';
import { options } from './options';
import { round } from './org-list-load';
import { report } from './report';

const given = options({ conversations: 100_000, events: 10, messages: 5, textBytes: 600 });
const TEN_MILLION = 10_000_000;
const GIBIBYTE = 2 ** 30;

/** Of each of these a conversation has one row, at most. */
const OF_A_CONVERSATION = ['conversations', 'event_logs', 'message_queues'];

interface TableSize {
  readonly rows: number;
  /** Bytes of a row, with what is stored beside it. */
  readonly table: number;
  /** Bytes of its entries in all indexes. */
  readonly indexes: number;
}

/** @param unlimited has no limit of time for a statement */
async function fill(db: DataSource, unlimited: DataSource, folder: string): Promise<void> {
  const org = await makeOrg(db);
  const owner: Owner = { userId: (await makeCaller(db, org.id)).userId, orgId: org.id, sandboxId: newId() };
  await unlimited.query(
    `INSERT INTO conversations (id, org_id, created_by_user_id, sandbox_id, start_state, title, llm_model)
     SELECT gen_random_uuid(), $1, $2, gen_random_uuid(), 'ready', 'Fix the flaky test of the login page ' || n,
            'openai/gpt-' || n % 5
       FROM generate_series(1, $3) n`,
    [owner.orgId, owner.userId, given.conversations],
  );
  const ids = await openConversations(db, owner);
  const app = await startService(sessionUrl(db), folder);
  const each = async (count: number, operation: Operation): Promise<void> => {
    for (let n = 0; n < count; n++) for (const id of ids) await operation(app, id);
  };
  await each(given.messages, queuedMessage(owner, given.textBytes));
  await each(given.events, receivedEvent(owner, given.textBytes));
  await app.close();
}

async function sizes(db: DataSource): Promise<Record<string, TableSize>> {
  await db.query('VACUUM ANALYZE');
  const tables = await db.query<{ name: string; table: string; indexes: string }[]>(
    `SELECT coalesce(pg_partition_root(oid), oid)::regclass::text AS name,
            sum(pg_table_size(oid)) AS table, sum(pg_indexes_size(oid)) AS indexes
       FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace GROUP BY 1`,
  );
  const found: Record<string, TableSize> = {};
  for (const { name, table, indexes } of tables) {
    const [{ count }] = await db.query<[{ count: string }]>(`SELECT count(*) FROM ${name}`);
    const rows = Number(count);
    // Of small tables the last, unfilled page counts for too much.
    if (rows < 1_000) continue;
    found[name] = { rows, table: round(Number(table) / rows), indexes: round(Number(indexes) / rows) };
  }
  return found;
}

function gibibytesOf(tables: Record<string, TableSize>): Record<string, number> {
  const bytes = (name: string): number => (tables[name]?.table ?? 0) + (tables[name]?.indexes ?? 0);
  const records = OF_A_CONVERSATION.reduce((sum, name) => sum + bytes(name), 0);
  return {
    records: round((TEN_MILLION * records) / GIBIBYTE),
    forEachEvent: round((TEN_MILLION * bytes('events')) / GIBIBYTE),
    forEachMessageKept: round((TEN_MILLION * bytes('pending_messages')) / GIBIBYTE),
  };
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-storage-'));
  const log = { info: () => undefined, warn: () => undefined };
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log, settings: { fsync: 'off' } });
  await migrate(postgres.url, migrateJobs);
  const db = await createDataSource(postgres.url, 2).initialize();
  const unlimited = await createMaintenanceDataSource(postgres.url, 1).initialize();
  try {
    await fill(db, unlimited, join(folder, 'service'));
    const bytesEach = await sizes(unlimited);
    report('storage', { ...given, bytesEach, gibibytesOfTenMillionConversations: gibibytesOf(bytesEach) });
  } finally {
    await unlimited.destroy();
    await db.destroy();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

void main();
