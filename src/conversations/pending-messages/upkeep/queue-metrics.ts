import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Metrics, scrapedGauges } from '../../../kernel/http';
import { UNDELIVERED } from '../queue/queue.query';

/** What waits in the queues of the whole installation: every process shows the same. */
@Injectable()
export class QueueMetrics {
  constructor(@InjectDataSource() database: DataSource, { registry }: Metrics) {
    scrapedGauges(registry, () => UNDELIVERED.rows(database), {
      queued_messages: ['count', 'Messages that are not delivered yet. In all processes together.'],
      queued_messages_oldest_seconds: [
        'oldest_seconds',
        'Age of the oldest undelivered message. In all processes together.',
      ],
    });
  }
}
