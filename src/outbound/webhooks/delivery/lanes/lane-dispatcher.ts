import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { Clock } from '../../../../kernel/common';
import { SETTINGS, type Settings } from '../../../../kernel/config';
import { LeasedRuns, LeaseLostError } from '../../../../kernel/leases';
import { outsideOfSpans } from '../../../../kernel/telemetry';
import { LaneSignal } from '../../queue/lane-signal';
import { type LaneLease, LaneLeases, type LeasedLane } from '../leases/lane-leases';
import { LaneRun, RequestSlots, SlotsClosedError } from './lane-run';

/** Lanes at a time of this process, and for each request that may go to an endpoint: while one is recorded, another is sent. */
const MOST_LANES = 256;
const LANES_PER_REQUEST = 2;
/** How often to look for lanes without a notification: of other processes, paused, or left behind. */
const LOOK_MS = 1_000;
/** Between two looks for endpoints to be probed. */
const PROBE_LOOK_MS = 10_000;
/** How long a lane rests after an error in this process. */
const AFTER_FAILURE_MS = 5_000;

/** Leases lanes that are due and runs them (docs/decisions/0037-lanes-with-leases.md). */
@Injectable()
export class LaneDispatcher implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(LaneDispatcher.name);
  /** Endpoints that may have lanes to take. */
  private readonly requested = new Set<string>();
  private readonly runs: LeasedRuns<LaneLease>;
  private readonly timers: NodeJS.Timeout[] = [];
  private isTaking = false;
  private stopped: Promise<void> | undefined;

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly leases: LaneLeases,
    private readonly run: LaneRun,
    private readonly slots: RequestSlots,
    private readonly signal: LaneSignal,
    clock: Clock,
  ) {
    const work = {
      name: 'lanes of webhooks',
      lengthMs: leases.lengthMs,
      most: MOST_LANES,
      keyOf: ({ webhookId, lane }: LaneLease) => `${webhookId} ${lane}`,
      renew: (held: readonly LaneLease[]) => leases.renew(held),
      giveUp: (lease: LaneLease, error: unknown) => this.giveUp(lease, error),
    };
    this.runs = new LeasedRuns(work, clock, this.logger);
  }

  onApplicationBootstrap(): void {
    if (this.settings.APP_ROLE === 'api') return;
    this.signal.onAdded((webhookIds) => this.request(webhookIds));
    this.runs.start();
    this.timers.push(
      setInterval(() => void this.look(), LOOK_MS),
      setInterval(() => void this.probe(), PROBE_LOOK_MS),
    );
  }

  onModuleDestroy(): Promise<void> {
    return this.stop();
  }

  /** Starts no more requests, and waits the grace time for those under way; the rest is left to other processes. */
  stop(): Promise<void> {
    return (this.stopped ??= this.end());
  }

  private async end(): Promise<void> {
    this.slots.close();
    const left = await this.runs.stop();
    for (const timer of this.timers) clearInterval(timer);
    for (const lease of left) lease.end();
    await this.giveBack(left, 0);
  }

  private request(webhookIds: Iterable<string>): void {
    for (const id of webhookIds) this.requested.add(id);
    if (!this.isTaking) void outsideOfSpans(() => this.takeAll());
  }

  private async look(): Promise<void> {
    try {
      this.request(await this.leases.due());
    } catch (error) {
      this.logger.warn({ err: error }, 'It could not be read which webhooks have something to deliver');
    }
  }

  private async probe(): Promise<void> {
    try {
      await this.leases.probe();
    } catch (error) {
      this.logger.warn({ err: error }, 'Webhooks that fail could not be probed');
    }
  }

  private async takeAll(): Promise<void> {
    this.isTaking = true;
    try {
      for (let wanted = this.wanted(); wanted.size > 0; wanted = this.wanted()) await this.take(wanted);
    } catch (error) {
      this.logger.warn({ err: error }, 'The lanes of webhooks could not be taken');
    } finally {
      this.isTaking = false;
    }
  }

  /** Requested endpoints, with the lanes that there is room for. */
  private wanted(): Map<string, number> {
    const wanted = new Map<string, number>();
    let free = this.runs.room;
    const held = new Map<string, number>();
    for (const { webhookId } of this.runs.leases) held.set(webhookId, (held.get(webhookId) ?? 0) + 1);
    const share = Math.max(1, Math.floor(free / Math.max(1, this.requested.size)));
    for (const id of this.requested) {
      const most = this.slots.mostOf(id) * LANES_PER_REQUEST - (held.get(id) ?? 0);
      const room = Math.min(most, share, free);
      if (room <= 0) continue;
      wanted.set(id, room);
      free -= room;
    }
    return wanted;
  }

  private async take(wanted: ReadonlyMap<string, number>): Promise<void> {
    for (const id of wanted.keys()) this.requested.delete(id);
    const taken = await this.leases.take(wanted);
    const counts = new Map<string, number>();
    for (const lane of taken) {
      counts.set(lane.head.webhook_id, (counts.get(lane.head.webhook_id) ?? 0) + 1);
      void this.begin(lane);
    }
    // There may be more lanes; they queue behind those of other endpoints.
    for (const [id, most] of wanted) if (counts.get(id) === most) this.requested.add(id);
  }

  private async begin(lane: LeasedLane): Promise<void> {
    await this.runs.begin(lane.lease, () => this.run.drain(lane));
    if (this.requested.size > 0 && !this.isTaking) await this.takeAll();
  }

  private async giveUp(lease: LaneLease, error: unknown): Promise<void> {
    if (error instanceof LeaseLostError) return;
    if (error instanceof SlotsClosedError) return this.giveBack([lease], 0);
    const { webhookId, lane } = lease;
    this.logger.warn({ err: error, webhookId, lane }, 'The delivery to a webhook was interrupted');
    await this.giveBack([lease], AFTER_FAILURE_MS);
  }

  private async giveBack(leases: readonly LaneLease[], afterMs: number): Promise<void> {
    try {
      await this.leases.giveBack(leases, afterMs);
    } catch (error) {
      this.logger.warn(
        { err: error },
        'Lanes of webhooks could not be given back; they are taken when the lease ends',
      );
    }
  }
}
