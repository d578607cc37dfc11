/**
 * What looking at the whole audit log takes, and what adding to it does: rows of several organizations are added by the batch, as
 * the sequencer has them added, and sealed now and then; then all are verified, alone and while others are added. Memory is what
 * this process grows by. The baseline is reading the same rows with one bare query by the same pages.
 *
 *   npm run bench -- audit-verify [--rows 1000000] [--organizations 20]
 */
import 'reflect-metadata';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { verifyAuditLog } from '../src/accounts/audit-log';
import { ChainWriter } from '../src/accounts/audit-log/chain/chain-writer';
import { AuditSeals } from '../src/accounts/audit-log/seals/audit-seals';
import { startEmbeddedPostgres } from '../src/appliance/embedded-postgres';
import { newId, SecretBox } from '../src/kernel/common';
import { createMaintenanceDataSource, migrate } from '../src/kernel/database';
import { DomainEventLog } from '../src/kernel/domain-events';
import { JobHandlers, migrateJobs } from '../src/kernel/jobs';
import { recorded } from '../test/support/audit/audit-rows';
import { growthDuring } from '../test/support/peak-memory';
import { options } from './options';
import { report } from './report';

const { rows: ROWS, organizations: ORGANIZATIONS } = options({ rows: 1_000_000, organizations: 20 });
/** As the sequencer takes them. */
const BATCH = 500;
/** Between two seals of all chains. */
const BATCHES_SEALED = 40;
const PAGE = 1_000;

const box = new SecretBox(['a-secret-key-of-measurements-0123']);
const seconds = (since: number): number => Math.round(performance.now() - since) / 1_000;

/** Adds rows to the chains of some organizations in turn. */
class Adder {
  private position = 0;
  private readonly writer = new ChainWriter(new DomainEventLog());
  private readonly seals: AuditSeals;

  constructor(
    private readonly db: DataSource,
    private readonly orgIds: readonly string[],
  ) {
    this.seals = new AuditSeals(db, box, new JobHandlers());
  }

  async addBatch(): Promise<void> {
    const events = Array.from({ length: BATCH }, () => {
      const event = recorded(this.orgIds[this.position % this.orgIds.length] ?? null);
      return { position: String(++this.position), event, at: new Date(), stored: event };
    });
    await this.db.transaction((transaction) => this.writer.take(transaction, events));
  }

  seal(): Promise<void> {
    return this.seals.sealAll();
  }
}

/** Reads all rows by pages, and does nothing with them. */
async function readAll(db: DataSource, orgIds: readonly string[]): Promise<void> {
  for (const orgId of orgIds) {
    let after: string | undefined = '-1';
    while (after !== undefined) {
      const rows: { position: string }[] = await db.query(
        `SELECT l.*, p.personal, p.salt FROM audit_log l LEFT JOIN audit_personal p USING (position)
          WHERE org_id = $1 AND l.position > $2 ORDER BY l.position LIMIT ${PAGE}`,
        [orgId, after],
      );
      after = rows.at(-1)?.position;
    }
  }
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-audit-verify-'));
  const log = { info: () => undefined, warn: () => undefined };
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log });
  await migrate(postgres.url, migrateJobs);
  const db = await createMaintenanceDataSource(postgres.url, 3).initialize();
  const orgIds = Array.from({ length: ORGANIZATIONS }, newId);
  for (const id of orgIds) await db.query('INSERT INTO organizations (id, name) VALUES ($1, $2)', [id, 'o']);
  const adder = new Adder(db, orgIds);
  let began = performance.now();
  let sealing = 0;
  for (let batch = 1; batch * BATCH <= ROWS; batch++) {
    await adder.addBatch();
    if (batch % BATCHES_SEALED !== 0) continue;
    const sealed = performance.now();
    await adder.seal();
    sealing += performance.now() - sealed;
  }
  const adding = seconds(began) - sealing / 1_000;
  await db.query('ANALYZE');
  began = performance.now();
  await readAll(db, orgIds);
  const reading = seconds(began);
  began = performance.now();
  let verified = await verifyAuditLog(db, box, null);
  const alone = seconds(began);
  const { damaged, rows, seals } = verified;
  let added = 0;
  const done = new AbortController();
  const others = (async () => {
    for (; !done.signal.aborted; added += BATCH) await adder.addBatch();
  })();
  began = performance.now();
  const growth = await growthDuring(async () => (verified = await verifyAuditLog(db, box, null)));
  const whileOthersWrite = seconds(began);
  done.abort();
  await others;
  report('audit-verify', {
    rows,
    organizations: ORGANIZATIONS,
    seals,
    damaged: damaged + verified.damaged,
    results: {
      add: {
        rowsPerSecond: Math.round(rows / adding),
        millisecondsEachBatch: Math.round((adding / rows) * BATCH * 1e5) / 100,
      },
      seal: { millisecondsEach: Math.round(sealing / (rows / BATCH / BATCHES_SEALED)) },
      read: { seconds: reading },
      verify: {
        seconds: alone,
        rowsPerSecond: Math.round(rows / alone),
        ratioToRead: Math.round((alone / reading) * 100) / 100,
      },
      verifyWhileOthersWrite: {
        seconds: whileOthersWrite,
        rowsAddedMeanwhile: added,
        growthMebibytes: Math.round(growth),
      },
    },
  });
  await db.destroy();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

void main();
