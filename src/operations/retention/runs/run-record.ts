import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock, newId } from '../../../kernel/common';
import { DomainEvents } from '../../../kernel/domain-events';
import type { Removed } from './removed';

/** Who has something removed: the service by itself, or an operator at the command line. */
export type RunBy = 'system' | 'operator';

/** Records in the audit log what a run has removed: one row for each run that removed something. */
@Injectable()
export class RunRecord {
  constructor(
    private readonly events: DomainEvents,
    private readonly clock: Clock,
  ) {}

  /** In the transaction that ends the run. */
  async add(transaction: EntityManager, orgId: string, by: RunBy, removed: Removed): Promise<void> {
    await this.events.publish(transaction, {
      kind: 'audit.recorded',
      org_id: orgId,
      entry_id: newId(),
      at: this.clock.now().toISOString(),
      actor: { kind: by, user_id: null, key_prefix: null, session: false },
      action: 'retention.run',
      target: { type: 'organization', id: orgId },
      changes: [{ table: 'retention_runs', id: orgId, before: null, after: removed }],
      outcome: 'success',
      status: null,
      code: null,
      request_id: null,
      personal: { address: null, user_agent: null },
    });
  }
}
