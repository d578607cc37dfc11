import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { AfterCommitListeners } from '../../domain-events';
import { Metrics } from '../../http';

/** Failures of listeners of domain events in this process. */
@Injectable()
export class ListenerMetrics {
  constructor(metrics: Metrics, listeners: AfterCommitListeners) {
    new Counter({
      name: 'domain_event_listener_failures_total',
      help: 'Failed calls of listeners of domain events after the commit; most are tried again.',
      labelNames: ['listener', 'kind'] as const,
      registers: [metrics.registry],
      collect() {
        this.reset();
        for (const { listener, kind, count } of listeners.failures()) this.inc({ listener, kind }, count);
      },
    });
  }
}
