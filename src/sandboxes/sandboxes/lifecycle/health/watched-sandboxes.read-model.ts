import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { SETTINGS, type Settings } from '../../../../kernel/config';
import type { SandboxAt } from '../../record/sandbox-store';
import { Sandbox } from '../../record/sandbox.entity';
import { neverAnsweredWithin, STOPPED_ANSWERING } from '../desired-state/status-details';

/**
 * Reads the sandboxes that the health monitor inspects; whether a creator is a member comes from `org_members`, named
 * by hand because its entity belongs to another module.
 */
@Injectable()
export class WatchedSandboxes {
  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    @InjectRepository(Sandbox) private readonly sandboxes: Repository<Sandbox>,
  ) {}

  /**
   * Those that run, start or stop, and those that failed because their server did not answer and may run
   * again by themselves. A sandbox that the reconciler has leased is not among them.
   * @param hostId the host whose sandboxes these are; null for those of no host
   */
  async of(hostId: string | null): Promise<SandboxAt[]> {
    const { SANDBOX_IDLE_SECONDS, SANDBOX_START_SECONDS } = this.settings;
    const query = this.sandboxes
      .createQueryBuilder('sandbox')
      .addSelect('now()', 'now')
      .where(
        `(sandbox.status IN ('STARTING', 'RUNNING') OR sandbox.stopping IS NOT NULL
          OR sandbox.status = 'ERROR' AND sandbox.statusDetail IN (:...unresponsive) AND sandbox.hostId IS NULL
             AND sandbox.lastActivityAt > now() - :idleSeconds * interval '1 second'
             AND EXISTS (SELECT FROM org_members
                          WHERE org_id = sandbox.orgId AND user_id = sandbox.createdByUserId))`,
        {
          unresponsive: [STOPPED_ANSWERING, neverAnsweredWithin(SANDBOX_START_SECONDS)],
          idleSeconds: SANDBOX_IDLE_SECONDS,
        },
      )
      .andWhere('(sandbox.leasedUntil IS NULL OR sandbox.leasedUntil < now())');
    if (hostId === null) query.andWhere('sandbox.hostId IS NULL');
    else query.andWhere('sandbox.hostId = :hostId', { hostId });
    const { entities, raw } = await query.getRawAndEntities<{ now: Date }>();
    const [row] = raw;
    return row === undefined ? [] : entities.map((sandbox) => ({ sandbox, now: row.now }));
  }
}
