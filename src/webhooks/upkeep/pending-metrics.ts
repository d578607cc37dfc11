import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { Gauge } from 'prom-client';
import { DataSource } from 'typeorm';
import { Metrics } from '../../http';
import { JobHandlers } from '../../jobs';
import { PENDING } from './webhook-upkeep.query';

const EVERY_SECONDS = 15;

/** Reports how much is pending, for all processes, as the one whose turn it was last read it. */
@Injectable()
export class PendingMetrics {
  private readonly pending: Gauge;
  private readonly oldest: Gauge;

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    { registry }: Metrics,
    handlers: JobHandlers,
  ) {
    const registers = [registry];
    this.pending = new Gauge({
      name: 'webhook_deliveries_pending',
      help: "Deliveries to webhooks that are not made yet, of all processes, at this process's last check.",
      registers,
    });
    this.oldest = new Gauge({
      name: 'webhook_oldest_pending_seconds',
      help: "Age of the oldest pending delivery to a webhook, at this process's last check.",
      registers,
    });
    handlers.every('webhook-pending', EVERY_SECONDS, () => this.update());
  }

  /** Reads them again. */
  async update(): Promise<void> {
    const [row] = await PENDING.rows(this.database);
    this.pending.set(row?.count ?? 0);
    this.oldest.set(row?.oldest_seconds ?? 0);
  }
}
