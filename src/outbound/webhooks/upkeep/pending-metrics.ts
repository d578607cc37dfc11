import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Metrics, scrapedGauges } from '../../../kernel/http';
import { PENDING } from './webhook-upkeep.query';

/** How much is pending in the whole installation: every process shows the same. */
@Injectable()
export class PendingMetrics {
  constructor(@InjectDataSource() database: DataSource, { registry }: Metrics) {
    scrapedGauges(registry, () => PENDING.rows(database), {
      webhook_deliveries_pending: [
        'count',
        'Deliveries to webhooks that are not made yet, of all processes.',
      ],
      webhook_oldest_pending_seconds: ['oldest_seconds', 'Age of the oldest pending delivery to a webhook.'],
    });
  }
}
