/**
 * Time and memory of a backup and a restore of a database with many events, against a bare COPY of the events to nowhere.
 * Both of two sizes: memory must not grow with what is stored. Needs the built service (`npm run build`).
 *
 *   npm run bench -- backup [--events 2000000] [--textBytes 600]
 */
import 'reflect-metadata';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { DataSource } from 'typeorm';
import { MEBIBYTE } from '../src/kernel/common';
import { createMaintenanceDataSource } from '../src/kernel/database';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/appliance/embedded-postgres';
import { options } from './options';
import { round } from './org-list-load';
import { report } from './report';

const given = options({ events: 2_000_000, textBytes: 600 });
const run = promisify(execFile);
const CLI = join(__dirname, '..', 'dist', 'cli.js');
const SMALLER = 10;
const EVENTS_OF_A_CONVERSATION = 100;
const LOOK_MS = 20;

interface Cost {
  readonly seconds: number;
  readonly peakMebibytes: number;
}

/** Most memory that a process has had so far, in MiB; 0 of one that is gone. */
function peakOf(pid: number | undefined): number {
  const file = `/proc/${pid}/status`;
  const kibibytes = existsSync(file) ? /VmHWM:\s+(\d+)/.exec(readFileSync(file, 'utf8'))?.[1] : undefined;
  return Number(kibibytes ?? 0) / 1024;
}

/** Runs a command of the service to its end. */
async function command(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Cost> {
  const began = performance.now();
  const running = run(process.execPath, [CLI, ...args], {
    env: { PATH: process.env.PATH, BACKUP_PASSPHRASE: 'a passphrase of the bench', ...env },
  });
  let peak = 0;
  const timer = setInterval(() => (peak = Math.max(peak, peakOf(running.child.pid))), LOOK_MS);
  try {
    await running;
  } finally {
    clearInterval(timer);
  }
  return { seconds: round((performance.now() - began) / 1_000), peakMebibytes: Math.round(peak) };
}

async function fill(db: DataSource, events: number): Promise<void> {
  await db.query(
    `WITH org AS (INSERT INTO organizations (id, name) VALUES (gen_random_uuid(), 'Acme') RETURNING id),
          creator AS (INSERT INTO users (id, email) VALUES (gen_random_uuid(), 'first@example.com') RETURNING id)
     INSERT INTO conversations (id, org_id, created_by_user_id, sandbox_id, start_state)
     SELECT gen_random_uuid(), org.id, creator.id, gen_random_uuid(), 'ready'
       FROM org, creator, generate_series(1, $1)`,
    [Math.ceil(events / EVENTS_OF_A_CONVERSATION)],
  );
  // Digests do not compress better than texts do.
  await db.query(
    `INSERT INTO events (conversation_id, id, seq, kind, occurred_at, payload)
     SELECT id, gen_random_uuid(), n, 'MessageEvent', now(),
            (SELECT string_agg(md5(id::text || n || m), '') FROM generate_series(1, $2) m)
       FROM conversations, generate_series(1, $1) n`,
    [EVENTS_OF_A_CONVERSATION, Math.ceil(given.textBytes / 32)],
  );
}

/** Reads the events by COPY, and does nothing with them. @returns seconds */
async function copied(url: string): Promise<number> {
  const client = new Client(url);
  await client.connect();
  const began = performance.now();
  await pipeline(
    client.query(copyTo('COPY (SELECT * FROM events) TO STDOUT')),
    new Writable({ write: (_chunk, _encoding, done) => done() }),
  );
  const seconds = round((performance.now() - began) / 1_000);
  await client.end();
  return seconds;
}

async function measure(events: number): Promise<Record<string, unknown>> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-backup-'));
  const log = { info: () => undefined, warn: () => undefined };
  const started = async (dataDir: string): Promise<EmbeddedPostgres> =>
    startEmbeddedPostgres({ dataDir, log });
  const [from, to] = [await started(join(folder, 'from')), await started(join(folder, 'to'))];
  const env = ({ url }: EmbeddedPostgres, dataDir: string): Record<string, string> => ({
    DATABASE_URL: url,
    SECRET_KEY: 'a-secret-key-of-the-bench-0123456789',
    DATA_DIR: join(folder, dataDir),
  });
  try {
    await command(['migrate'], env(from, 'source'));
    const db = await createMaintenanceDataSource(from.url, 1).initialize();
    await fill(db, events);
    const [{ bytes }] = await db.query<[{ bytes: string }]>(
      'SELECT pg_database_size(current_database()) AS bytes',
    );
    await db.destroy();
    const copySeconds = await copied(from.url);
    const file = join(folder, 'backup.age');
    const backup = await command(['backup', '--to', file], env(from, 'source'));
    const restore = await command(['restore', '--from', file], env(to, 'target'));
    return {
      events,
      databaseMebibytes: Math.round(Number(bytes) / MEBIBYTE),
      fileMebibytes: Math.round((await stat(file)).size / MEBIBYTE),
      copySeconds,
      backup,
      restore,
      backupAgainstCopy: round(backup.seconds / copySeconds),
    };
  } finally {
    for (const postgres of [from, to]) await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function main(): Promise<void> {
  const smaller = await measure(given.events / SMALLER);
  const larger = await measure(given.events);
  report('backup', { ...given, smaller, larger });
}

void main();
