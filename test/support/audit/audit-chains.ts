import type { DataSource, EntityManager } from 'typeorm';
import { AuditLog, type AuditVerification, verifyAuditLog } from '../../../src/accounts/audit-log';
import { ChainWriter } from '../../../src/accounts/audit-log/chain/chain-writer';
import { NO_HASH, type Recorded } from '../../../src/accounts/audit-log/chain/entry';
import { OldSpans } from '../../../src/accounts/audit-log/retention/old-spans';
import { macOf, type Seal } from '../../../src/accounts/audit-log/seals/seal';
import { AuditSeals } from '../../../src/accounts/audit-log/seals/audit-seals';
import { newId, SecretBox } from '../../../src/kernel/common';
import { readSettings } from '../../../src/kernel/config';
import { createMaintenanceDataSource } from '../../../src/kernel/database';
import { DomainEventLog } from '../../../src/kernel/domain-events';
import { JobHandlers } from '../../../src/kernel/jobs';
import { createTestDatabase, type TestDatabase } from '../database/postgres';
import { recorded } from './audit-rows';

/** What keeps and looks at the audit log, over a database of its own, without the rest of the service. */
export class AuditChains {
  private readonly writer: ChainWriter;
  private position = 0;

  private constructor(
    readonly database: TestDatabase,
    readonly db: DataSource,
    readonly log: DomainEventLog,
  ) {
    this.writer = new ChainWriter(log);
  }

  static async start(): Promise<AuditChains> {
    const database = await createTestDatabase();
    const db = await createMaintenanceDataSource(database.url, 3).initialize();
    return new AuditChains(database, db, new DomainEventLog());
  }

  readonly key = 'a-secret-key-of-tests-0123456789';

  get audit(): AuditLog {
    return new AuditLog(this.log);
  }

  /** An organization. */
  async organization(): Promise<string> {
    const id = newId();
    await this.db.query('INSERT INTO organizations (id, name) VALUES ($1, $2)', [id, 'o']);
    return id;
  }

  /** Adds rows as the sequencer has them added, in one batch. @returns their positions */
  async add(...events: readonly Recorded[]): Promise<string[]> {
    return this.db.transaction((transaction) => this.addIn(transaction, ...events));
  }

  /** As {@link add}, in a transaction. */
  async addIn(transaction: EntityManager, ...events: readonly Recorded[]): Promise<string[]> {
    const taken = events.map((event) => ({
      position: String(++this.position),
      event,
      at: new Date(),
      stored: event,
    }));
    await this.writer.take(transaction, taken);
    return taken.map(({ position }) => position);
  }

  /** Adds so many rows to a chain, a batch each. @returns their positions */
  async addEach(orgId: string | null, count: number, fields: Partial<Recorded> = {}): Promise<string[]> {
    const positions: string[] = [];
    for (let n = 0; n < count; n++) positions.push(...(await this.add(recorded(orgId, fields))));
    return positions;
  }

  box(...keys: readonly string[]): SecretBox {
    const [first = this.key, ...others] = keys;
    return new SecretBox([first, ...others]);
  }

  seal(box = this.box()): Promise<void> {
    return new AuditSeals(this.db, box, new JobHandlers()).sealAll();
  }

  /** Seals with another time than the present one, as a service of then would have. */
  async sealedAt(time: Date): Promise<void> {
    await this.seal();
    const [seals] = await this.db.query<[Seal[]]>(
      'UPDATE audit_seals SET sealed_at = $1 WHERE id = (SELECT max(id) FROM audit_seals) RETURNING *',
      [time],
    );
    const [seal] = seals;
    if (seal === undefined) throw new Error('There was nothing to seal.');
    const [before] = await this.db.query<{ hash: Buffer }[]>(
      `SELECT hash FROM audit_seals WHERE org_id IS NOT DISTINCT FROM $1 AND position < $2
        ORDER BY position DESC LIMIT 1`,
      [seal.org_id, seal.position],
    );
    const mac = macOf(this.box(), seal, before?.hash ?? NO_HASH);
    await this.db.query('UPDATE audit_seals SET mac = $2 WHERE id = $1', [seal.id, mac]);
  }

  /** @param batch how many spans are removed at a time */
  async removeOld(days: number, box = this.box(), batch?: number): Promise<void> {
    const settings = readSettings({ AUDIT_LOG_DAYS: String(days) });
    const old = new OldSpans(this.db, box, this.log, settings, new JobHandlers());
    await old.removeOld({ signal: new AbortController().signal }, batch);
  }

  verify(orgId: string | null = null, box = this.box()): Promise<AuditVerification> {
    return verifyAuditLog(this.db, box, orgId);
  }

  /** Runs a statement that the service has not, as the owner of the tables. */
  tamper(sql: string, parameters: readonly unknown[] = []): Promise<unknown> {
    return this.db.query(sql, [...parameters]);
  }

  async stop(): Promise<void> {
    await this.db.destroy();
    await this.database.drop();
  }
}
