import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram } from 'prom-client';
import { Metrics } from '../../kernel/http';
import { CallAdmission } from './admission/call-admission';
import type { Protocol } from './protocol/protocols';
import type { Tokens } from './usage/reported-usage';

/** Metrics of the calls to models through this process. */
@Injectable()
export class GatewayMetrics {
  private readonly calls: Counter<'protocol' | 'outcome'>;
  private readonly tokens: Counter<'kind'>;
  private readonly firstByte: Histogram<'protocol'>;
  private readonly failovers: Counter;
  private readonly unreported: Counter;

  constructor(metrics: Metrics, admission: CallAdmission) {
    const registers = [metrics.registry];
    new Gauge({
      name: 'model_gateway_open_calls',
      help: 'Calls to models that are under way.',
      registers,
      collect() {
        this.set(admission.open);
      },
    });
    this.calls = new Counter({
      name: 'model_gateway_calls_total',
      help: 'Calls to models that have ended, by protocol and outcome: ok, failed, interrupted, or the code of the refusal.',
      labelNames: ['protocol', 'outcome'] as const,
      registers,
    });
    this.tokens = new Counter({
      name: 'model_gateway_tokens_total',
      help: 'Tokens that calls to models were settled by, by kind.',
      labelNames: ['kind'] as const,
      registers,
    });
    this.firstByte = new Histogram({
      name: 'model_gateway_first_byte_seconds',
      help: 'Time from a call to the first byte of the answer of its provider, by protocol.',
      labelNames: ['protocol'] as const,
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120],
      registers,
    });
    this.failovers = new Counter({
      name: 'model_gateway_failovers_total',
      help: 'Calls that went on to another address or key, because one failed or was busy.',
      registers,
    });
    this.unreported = new Counter({
      name: 'model_gateway_unreported_usage_total',
      help: 'Answers of providers whose usage was missing or impossible, so that it was counted.',
      registers,
    });
  }

  /** A call has ended, or was refused with a code. */
  ended(protocol: Protocol | null, outcome: string): void {
    this.calls.inc({ protocol: protocol ?? 'models', outcome });
  }

  /** A call was settled. */
  settled(tokens: Tokens, isReported: boolean): void {
    this.tokens.inc({ kind: 'prompt' }, tokens.prompt);
    this.tokens.inc({ kind: 'completion' }, tokens.completion);
    this.tokens.inc({ kind: 'cache_read' }, tokens.cacheRead);
    this.tokens.inc({ kind: 'cache_write' }, tokens.cacheWrite);
    if (!isReported) this.unreported.inc();
  }

  /** An answer has begun. */
  began(protocol: Protocol, milliseconds: number): void {
    this.firstByte.observe({ protocol }, milliseconds / 1_000);
  }

  /** A call goes on to the next target. */
  failedOver(): void {
    this.failovers.inc();
  }
}
