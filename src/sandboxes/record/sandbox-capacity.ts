import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SETTINGS, type Settings } from '../../config';
import { ADVISORY_LOCKS } from '../../database';
import { ConcurrencyLimitReachedError } from './sandboxes.errors';

/** The caps on sandboxes that run, start or are still stopping (docs/contract.md#sandbox-caps). */
@Injectable()
export class SandboxCapacity {
  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  /**
   * Makes sure that one more may run, until the transaction ends.
   * @throws ConcurrencyLimitReachedError
   */
  async reserve(transaction: EntityManager, orgId: string): Promise<void> {
    await transaction.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.capacity]);
    const [counts] = await transaction.query<{ total: number; of_org: number }[]>(
      `SELECT count(*)::int AS total, count(*) FILTER (WHERE org_id = $1)::int AS of_org FROM sandboxes
       WHERE status IN ('STARTING', 'RUNNING') OR stopping IS NOT NULL`,
      [orgId],
    );
    const { MAX_SANDBOXES, MAX_SANDBOXES_PER_ORG } = this.settings;
    if ((counts?.of_org ?? 0) >= MAX_SANDBOXES_PER_ORG)
      throw new ConcurrencyLimitReachedError(MAX_SANDBOXES_PER_ORG, 'organization');
    if ((counts?.total ?? 0) >= MAX_SANDBOXES)
      throw new ConcurrencyLimitReachedError(MAX_SANDBOXES, 'installation');
  }
}
