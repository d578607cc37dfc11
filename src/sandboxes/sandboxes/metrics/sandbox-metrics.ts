import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { Gauge } from 'prom-client';
import { DataSource } from 'typeorm';
import { Metrics, ScrapedReading } from '../../../kernel/http';
import { SANDBOX_STATUSES } from '../record/sandbox-view';
import { SANDBOX_COUNTS } from './sandbox-counts.read-model';

/** How many sandboxes the whole installation has: every process shows the same. */
@Injectable()
export class SandboxMetrics {
  constructor(@InjectDataSource() database: DataSource, { registry }: Metrics) {
    const counts = new ScrapedReading(() => SANDBOX_COUNTS.rows(database));
    new Gauge({
      name: 'sandboxes',
      help: 'Sandboxes by the status they show, of all processes.',
      labelNames: ['status'] as const,
      registers: [registry],
      aggregator: 'first',
      async collect() {
        const rows = await counts.current();
        this.reset();
        if (rows === null) return;
        for (const status of SANDBOX_STATUSES) this.set({ status }, 0);
        for (const { status, count } of rows) this.set({ status }, count);
      },
    });
  }
}
