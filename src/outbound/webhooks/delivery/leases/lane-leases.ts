import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Clock } from '../../../../kernel/common';
import { SETTINGS, type Settings } from '../../../../kernel/config';
import { Lease } from '../../../../kernel/leases';
import {
  DUE_WEBHOOKS,
  GIVE_LANES_BACK,
  PROBE_LANES,
  RENEW_LANES,
  TAKE_LANES,
  type TakenLane,
} from './lane.query';

/** An endpoint that only fails is sent something at least so often, to see whether it works again. */
export const PROBE_EVERY = '5 minutes';

/** A worker's right to be the only one that delivers from a lane. */
export class LaneLease extends Lease {
  /** @param fence which no other lease of any lane has */
  constructor(
    clock: Clock,
    lengthMs: number,
    readonly webhookId: string,
    readonly lane: string,
    readonly fence: string,
  ) {
    super(clock, lengthMs);
  }
}

/** A lane that was taken, and what is at its head. */
export interface LeasedLane {
  readonly lease: LaneLease;
  readonly head: TakenLane;
}

/** Takes lanes, renews the leases on them, and gives them back. */
@Injectable()
export class LaneLeases {
  /** How long a lease lasts that is not renewed. */
  readonly lengthMs: number;

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
      const lease = new LaneLease(this.clock, this.lengthMs, head.webhook_id, head.lane, head.fence);
      lease.renewed(askedAt);
      return { lease, head };
    });
  }

  /** Endpoints with lanes that are due. */
  async due(): Promise<string[]> {
    return (await DUE_WEBHOOKS.rows(this.database, [])).map(({ webhook_id }) => webhook_id);
  }

  /** Probes failing endpoints once in a while, whatever the pauses of their lanes (docs/webhooks.md#outages). */
  async probe(): Promise<void> {
    await PROBE_LANES.rows(this.database, [PROBE_EVERY]);
  }

  /** Renews leases in one statement. @returns those that were renewed */
  async renew(leases: readonly LaneLease[]): Promise<LaneLease[]> {
    const rows = await RENEW_LANES.rows(this.database, [...keysOf(leases), this.lengthMs]);
    const renewed = new Set(rows.map(({ fence }) => fence));
    return leases.filter(({ fence }) => renewed.has(fence));
  }

  /** Gives lanes back, to be taken again after a time. */
  async giveBack(leases: readonly LaneLease[], afterMs: number): Promise<void> {
    if (leases.length > 0) await GIVE_LANES_BACK.rows(this.database, [...keysOf(leases), afterMs]);
  }
}

function keysOf(leases: readonly LaneLease[]): [webhookIds: string[], lanes: string[], fences: string[]] {
  return [
    leases.map(({ webhookId }) => webhookId),
    leases.map(({ lane }) => lane),
    leases.map(({ fence }) => fence),
  ];
}
