import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { SecretBox } from '../../../kernel/common';
import { ADVISORY_LOCKS, lockForTransaction } from '../../../kernel/database';
import { JobHandlers } from '../../../kernel/jobs';
import { LIVING_ORGANIZATIONS } from '../chain/chain-heads.read-model';
import { NO_HASH } from '../chain/entry';
import { macOf } from './seal';
import { addSeals, MOST_ROWS, UNSEALED, type UnsealedSpan } from './seals.query';

const SECONDS = 60;

/** Seals the ends of all chains every minute, on one replica at a time. */
@Injectable()
export class AuditSeals {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly box: SecretBox,
    handlers: JobHandlers,
  ) {
    handlers.every('audit-seals', SECONDS, () => this.sealAll());
  }

  /** Seals what is behind the last seals. */
  async sealAll(): Promise<void> {
    let spans: readonly UnsealedSpan[];
    do {
      spans = await this.database.transaction((transaction) => this.sealSpans(transaction));
    } while (spans.some(({ rows }) => rows === MOST_ROWS));
  }

  private async sealSpans(transaction: EntityManager): Promise<readonly UnsealedSpan[]> {
    // Two at a time would seal one row twice.
    await lockForTransaction(transaction, ADVISORY_LOCKS.auditSeals);
    const spans = await UNSEALED.rows(transaction);
    const orgIds = spans.flatMap(({ org_id }) => org_id ?? []);
    const living = new Set<string | null>([null]);
    for (const { id } of await LIVING_ORGANIZATIONS.rowsIn(transaction, [orgIds])) living.add(id);
    const seals = spans
      .filter(({ org_id }) => living.has(org_id))
      .map(({ before, now, ...span }) => {
        const sealed = { ...span, sealed_at: now };
        return { ...sealed, mac: macOf(this.box, sealed, before ?? NO_HASH) };
      });
    if (seals.length > 0) await addSeals(transaction, seals, this.box.currentKeyId);
    return spans;
  }
}
