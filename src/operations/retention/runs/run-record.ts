import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditTrail } from '../../../kernel/audit';
import type { Removed } from './removed';

/** Who has something removed: the service by itself, or an operator at the command line. */
export type RunBy = 'system' | 'operator';

/** Records in the audit log what a run has removed: one row for each run that removed something. */
@Injectable()
export class RunRecord {
  constructor(private readonly trail: AuditTrail) {}

  /** In the transaction that ends the run. */
  async add(transaction: EntityManager, orgId: string, by: RunBy, removed: Removed): Promise<void> {
    await this.trail.record(transaction, {
      by,
      orgId,
      action: 'retention.run',
      target: { type: 'organization', id: orgId },
      changes: [{ table: 'retention_runs', id: orgId, before: null, after: removed }],
    });
  }
}
