import { Injectable } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import { Metrics } from '../../../kernel/http';
import { OpenStreams, STREAM_KINDS } from './open-streams';

/** Metrics of the streams of this process. */
@Injectable()
export class StreamMetrics {
  constructor(metrics: Metrics, streams: OpenStreams) {
    const registers = [metrics.registry];
    new Gauge({
      name: 'event_streams',
      help: 'Streams of events that are open now, by what they are of.',
      labelNames: ['kind'] as const,
      registers,
      collect() {
        for (const kind of STREAM_KINDS) this.set({ kind }, streams.count(kind));
      },
    });
    new Counter({
      name: 'event_streams_ended_total',
      help: 'Streams of events that have ended, by reason; `client` where the client closed it.',
      labelNames: ['kind', 'reason'] as const,
      registers,
      collect() {
        this.reset();
        for (const { kind, reason, count } of streams.ends.values()) this.inc({ kind, reason }, count);
      },
    });
    new Counter({
      name: 'event_stream_events_total',
      help: 'Events that were sent to streams.',
      labelNames: ['kind'] as const,
      registers,
      collect() {
        this.reset();
        for (const kind of STREAM_KINDS) this.inc({ kind }, streams.sent[kind]);
      },
    });
  }
}
