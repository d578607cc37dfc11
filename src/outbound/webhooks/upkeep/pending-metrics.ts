import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { Gauge } from 'prom-client';
import { DataSource } from 'typeorm';
import { Metrics, ScrapedReading } from '../../../kernel/http';
import { PENDING } from './webhook-upkeep.query';

/** How much is pending in the whole installation: every process shows the same. */
@Injectable()
export class PendingMetrics {
  constructor(@InjectDataSource() database: DataSource, { registry }: Metrics) {
    const pending = new ScrapedReading(() => PENDING.rows(database));
    const gauge = (name: string, help: string, field: 'count' | 'oldest_seconds'): void => {
      new Gauge({
        name,
        help,
        registers: [registry],
        async collect() {
          const [row] = (await pending.current()) ?? [];
          if (row === undefined) this.remove();
          else this.set(row[field]);
        },
      });
    };
    gauge(
      'webhook_deliveries_pending',
      'Deliveries to webhooks that are not made yet, of all processes.',
      'count',
    );
    gauge(
      'webhook_oldest_pending_seconds',
      'Age of the oldest pending delivery to a webhook.',
      'oldest_seconds',
    );
  }
}
