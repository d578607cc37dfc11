import { Inject, Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Clock } from '../../../../kernel/common';
import { SETTINGS, type Settings } from '../../../../kernel/config';
import {
  DUE_WEBHOOKS,
  GIVE_LANES_BACK,
  PROBE_LANES,
  RENEW_LANES,
  TAKE_LANES,
  type TakenLane,
} from './lane.query';
import { LaneLease } from './lane-lease';

/** An endpoint that only fails is sent something at least so often, to see whether it works again. */
export const PROBE_EVERY = '5 minutes';

/** A lane that was taken, and what is at its head. */
export interface LeasedLane {
  readonly lease: LaneLease;
  readonly head: TakenLane;
}

/** Takes lanes for this process, and keeps them while it works on them. */
@Injectable()
export class LaneLeases {
  /** How long a lease lasts that is not renewed. */
  readonly lengthMs: number;
  private readonly logger = new Logger(LaneLeases.name);
  private readonly held = new Map<string, LaneLease>();
  private isRenewing = false;

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly clock: Clock,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.lengthMs = settings.JOB_LEASE_SECONDS * 1_000;
  }

  /** Takes lanes that are due, of each endpoint at most so many. */
  async take(wanted: ReadonlyMap<string, number>): Promise<LeasedLane[]> {
    const askedAt = this.clock.monotonicMs();
    const values = [[...wanted.keys()], [...wanted.values()], this.lengthMs];
    const rows = await TAKE_LANES.rows(this.database, values);
    return rows.map((head) => {
      const until = askedAt + this.lengthMs;
      const lease = new LaneLease(head.webhook_id, head.lane, head.fence, this.clock, until);
      this.held.set(head.fence, lease);
      return { lease, head };
    });
  }

  /** Endpoints with lanes that are due. */
  async due(): Promise<string[]> {
    return (await DUE_WEBHOOKS.rows(this.database, [])).map(({ webhook_id }) => webhook_id);
  }

  /** Has endpoints that only fail tried once in a while, whatever the pauses of their lanes (docs/webhooks.md#outages). */
  async probe(): Promise<void> {
    await PROBE_LANES.rows(this.database, [PROBE_EVERY]);
  }

  /** Stops renewing it. */
  end(lease: LaneLease): void {
    lease.end();
    this.held.delete(lease.fence);
  }

  /** Renews all leases of this process, and ends those that have lapsed. */
  async renewAll(): Promise<void> {
    const leases = [...this.held.values()].filter(({ isHeld }) => isHeld);
    if (leases.length === 0 || this.isRenewing) return;
    this.isRenewing = true;
    try {
      await this.renew(leases);
    } catch (error) {
      this.logger.warn({ err: error }, 'The leases on lanes of webhooks could not be renewed');
    } finally {
      this.isRenewing = false;
    }
  }

  /** Has somebody else go on with them after a time. */
  async giveBack(leases: readonly LaneLease[], afterMs: number): Promise<void> {
    if (leases.length > 0) await GIVE_LANES_BACK.rows(this.database, [...keysOf(leases), afterMs]);
  }

  private async renew(leases: readonly LaneLease[]): Promise<void> {
    const askedAt = this.clock.monotonicMs();
    const rows = await RENEW_LANES.rows(this.database, [...keysOf(leases), this.lengthMs]);
    for (const { fence } of rows) this.held.get(fence)?.renew(askedAt + this.lengthMs);
  }
}

function keysOf(leases: readonly LaneLease[]): [webhookIds: string[], lanes: string[], fences: string[]] {
  return [
    leases.map(({ webhookId }) => webhookId),
    leases.map(({ lane }) => lane),
    leases.map(({ fence }) => fence),
  ];
}
