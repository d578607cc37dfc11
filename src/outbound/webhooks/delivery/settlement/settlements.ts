import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { cutText } from '../../../../kernel/common';
import { WebhookDisabling } from '../../queue/webhook-disabling';
import { MAX_ERROR } from '../../record/limits';
import { askedPause, delayAfter } from '../callback/back-off';
import type { Attempt } from '../callback/callback-sender';
import { FAILING, HAS_SUCCEEDED_SINCE, SUCCEEDING } from './endpoint-state.query';
import { GroupedCalls } from '../grouped-calls';
import { BRING_LANES_FORWARD, SETTLE_LANES, type SettledLane } from '../leases/lane.query';
import { type LaneLease, PROBE_EVERY } from '../leases/lane-leases';
import { Counter, Histogram } from 'prom-client';
import { Metrics } from '../../../../kernel/http';

/** Metrics of this process's callbacks. */
@Injectable()
export class DeliveryCounts {
  private readonly results: Counter<'result'>;
  private readonly durations: Histogram;

  constructor({ registry }: Metrics) {
    this.results = new Counter({
      name: 'webhook_callbacks_total',
      help: 'Callbacks that this process made: delivered, refused by a status of the answer, or failed without one.',
      labelNames: ['result'] as const,
      registers: [registry],
    });
    this.durations = new Histogram({
      name: 'webhook_callback_duration_seconds',
      help: 'Time from the beginning of a callback to the end of its answer, or to its failure.',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
      registers: [registry],
    });
  }

  /** A callback has ended. */
  count({ status, error, durationMs }: Attempt): void {
    const result = error === null ? 'delivered' : status === null ? 'failed' : 'refused';
    this.results.inc({ result });
    this.durations.observe(durationMs / 1_000);
  }
}

/** An endpoint that has only failed for so long is disabled (docs/webhooks.md#limits). */
const FAILING_FOR = '5 days';
/** One that has only failed for so long is down: its first success brings forward what waits (docs/webhooks.md#outages). */
const DOWN_AFTER = PROBE_EVERY;
const GONE = 410;
const EXPIRED = 'It was not delivered within three days.';

/** The outcome to record for a lane; without a delivery the lane is only read. */
interface Settlement {
  readonly lease: LaneLease;
  readonly delivery: { readonly id: string; readonly failures: number } | null;
  /** Null when it was not sent, as it had expired. */
  readonly attempt: Attempt | null;
}

/** Records the outcomes of callbacks in batches. */
@Injectable()
export class Settlements {
  private readonly calls = new GroupedCalls<Settlement, SettledLane>((group) => this.settle(group), 200);

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly disabling: WebhookDisabling,
    private readonly counts: DeliveryCounts,
  ) {}

  /** Reads the head of a lane; an empty lane is removed. */
  read(lease: LaneLease): Promise<SettledLane> {
    return this.calls.call({ lease, delivery: null, attempt: null });
  }

  /** Records an attempt, or that the delivery expired before one, and reads the next. */
  async record(
    lease: LaneLease,
    delivery: { readonly id: string; readonly failures: number; readonly url: string },
    attempt: Attempt | null,
  ): Promise<SettledLane> {
    const settled = await this.calls.call({ lease, delivery, attempt });
    if (attempt === null || settled.state === null) return settled;
    this.counts.count(attempt);
    // The response of a former address says nothing about the current one.
    if (settled.url === delivery.url) await this.follow(settled, attempt);
    return settled;
  }

  private async settle(group: readonly Settlement[]): Promise<SettledLane[]> {
    const settlements = JSON.stringify(group.map(columnsOf));
    const rows = await SETTLE_LANES.rows(this.database, [settlements, FAILING_FOR, DOWN_AFTER]);
    const byFence = new Map(rows.map((row) => [row.fence, row]));
    return group.flatMap(({ lease }) => byFence.get(lease.fence) ?? []);
  }

  /** What an attempt says about its endpoint. */
  private async follow(
    { webhook_id, failing_since, is_failing, was_down }: SettledLane,
    attempt: Attempt,
  ): Promise<void> {
    if (attempt.status === GONE) await this.disable(webhook_id, 'gone');
    else if (attempt.error !== null)
      await (is_failing
        ? this.disableFailing(webhook_id)
        : FAILING.rows(this.database, [webhook_id, PROBE_EVERY]));
    else if (failing_since !== null) await this.recover(webhook_id, was_down);
  }

  private async disableFailing(webhookId: string): Promise<void> {
    const succeeded = await HAS_SUCCEEDED_SINCE.rows(this.database, [webhookId]);
    if (succeeded.length > 0) await this.recover(webhookId, true);
    else await this.disable(webhookId, 'failing');
  }

  /** The second statement sees what was paused while the first one waited for {@link FAILING}, or before. */
  private async recover(webhookId: string, wasDown: boolean): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const recovered = await SUCCEEDING.rows(transaction, [webhookId]);
      if (recovered.length > 0 && wasDown) await BRING_LANES_FORWARD.rows(transaction, [webhookId]);
    });
  }

  private async disable(webhookId: string, reason: 'gone' | 'failing'): Promise<void> {
    await this.database.transaction((transaction) => this.disabling.disable(transaction, webhookId, reason));
  }
}

function columnsOf({ lease, delivery, attempt }: Settlement): object {
  const { webhookId, lane, fence } = lease;
  const common = { webhook_id: webhookId, lane, fence };
  if (delivery === null) return common;
  if (attempt === null) return { ...common, id: delivery.id, verdict: 'failed', error: EXPIRED };
  const { at, durationMs, status, error, answer } = attempt;
  return {
    ...common,
    id: delivery.id,
    verdict: error === null ? 'delivered' : 'retry',
    delay_ms: delayAfter(delivery.failures + 1, attempt.retryAfterMs, Math.random()),
    asked_ms: askedPause(attempt.retryAfterMs),
    at,
    duration_ms: durationMs,
    status,
    error: error === null ? null : cutText(error, MAX_ERROR),
    answer,
  };
}
