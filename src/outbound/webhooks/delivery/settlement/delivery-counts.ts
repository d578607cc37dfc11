import { Injectable } from '@nestjs/common';
import { Counter, Histogram } from 'prom-client';
import { Metrics } from '../../../../kernel/http';
import type { Attempt } from '../callback/callback-sender';

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
