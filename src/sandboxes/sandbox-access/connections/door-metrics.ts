import { Injectable } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import { Metrics } from '../../../kernel/http';
import { KINDS, OpenConnections } from './open-connections';

/** Metrics of the traffic through this process's door. */
@Injectable()
export class DoorMetrics {
  constructor(metrics: Metrics, connections: OpenConnections) {
    const registers = [metrics.registry];
    new Gauge({
      name: 'door_connections',
      help: 'Requests and WebSockets that pass through the door to agent servers now, by kind.',
      labelNames: ['kind'] as const,
      registers,
      collect() {
        for (const kind of KINDS) this.set({ kind }, connections.count(kind));
      },
    });
    new Counter({
      name: 'door_bytes_total',
      help: 'Bytes of bodies and WebSockets that passed through the door, by direction.',
      labelNames: ['direction'] as const,
      registers,
      collect() {
        this.reset();
        this.inc({ direction: 'to_sandbox' }, connections.bytes.toSandbox);
        this.inc({ direction: 'to_caller' }, connections.bytes.toCaller);
      },
    });
  }
}
