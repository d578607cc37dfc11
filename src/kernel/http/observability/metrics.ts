import { Injectable, Logger } from '@nestjs/common';
import {
  AggregatorRegistry,
  collectDefaultMetrics,
  Histogram,
  type Metric,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client';
import { isRecord, settledWithin, StartError } from '../../common';
import { setMetricsSource } from '../../telemetry';
import { STATUS_CODES } from 'node:http';

/** Metrics of extensions that take longer are answered as they were. */
const COLLECT_MS = 2_000;

/** Metrics of a process, to be added up with those of others. */
type ProcessMetrics = MetricObjectWithValues<MetricValue<string>>[];

/** What `GET /metrics` answers: process metrics, and request durations by route pattern. */
@Injectable()
export class Metrics {
  /** @internal */
  readonly registry = new Registry();

  private readonly requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to its answer, by method, route pattern and status; statuses without a name by class.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    setMetricsSource(() => this.registry.getMetricsAsJSON());
  }

  private others: (() => Promise<readonly unknown[]>) | undefined;

  /**
   * Adds up what all processes have that answer at one port: nobody knows which of them is asked.
   * @param others asks all but this one, each of which has what {@link own} gives
   * @internal
   */
  addTo(others: () => Promise<readonly unknown[]>): void {
    this.others = others;
  }

  /** The metrics of this process. @internal */
  own(): Promise<unknown> {
    return this.registry.getMetricsAsJSON();
  }

  /** The metrics of this process, and of those that answer at its port, in the text format. @internal */
  async text(): Promise<string> {
    if (this.others === undefined) return this.registry.metrics();
    const [own, others] = await Promise.all([this.registry.getMetricsAsJSON(), this.others()]);
    return AggregatorRegistry.aggregate([own, ...others.filter(isMetrics)]).metrics();
  }

  /**
   * Where an extension registers metrics of its own: `new Counter({ name: 'acme_spent_total', help, registers: [metrics.of('acme')] })`.
   * @param name of the extension: the names of its metrics begin with it and `_`
   * @returns a registry that throws StartError for any other
   */
  of(name: string): Registry {
    return new ExtensionRegistry(name, this.registry);
  }

  /**
   * Observes a request that is answered.
   * @param route the template of its path
   * @internal
   */
  answered(method: string, route: string, status: number, seconds: number): void {
    this.requests.observe({ method, route, status: statusLabel(status) }, seconds);
  }
}

function isMetrics(value: unknown): value is ProcessMetrics {
  return Array.isArray(value) && value.every((metric) => isRecord(metric) && Array.isArray(metric.values));
}

/** Registers metrics of one extension with those of the service. */
class ExtensionRegistry extends Registry {
  constructor(
    private readonly extension: string,
    private readonly all: Registry,
  ) {
    super();
  }

  override registerMetric<T extends string>(metric: Metric<T>): void {
    const { name } = metric as unknown as { readonly name: string };
    if (!name.startsWith(`${this.extension}_`))
      throw new StartError(
        `The metric ${name} of the extension ${this.extension} has to begin with ${this.extension}_.`,
      );
    limitCollecting(metric, name);
    this.all.registerMetric(metric);
  }
}

/** What an extension collects at a scrape keeps no other metric from being answered, whether it throws or never ends. */
function limitCollecting<T extends string>(metric: Metric<T>, name: string): void {
  const { collect } = metric as { collect?: () => unknown };
  if (collect === undefined) return;
  const collected = async (): Promise<void> => {
    try {
      await collect.call(metric);
    } catch (error) {
      new Logger(Metrics.name).warn({ err: error }, `The metric ${name} could not be collected`);
    }
  };
  Object.assign(metric, { collect: () => settledWithin(collected(), COLLECT_MS) });
}

/**
 * A status as the label of a metric: itself when it has a name, or else its class, such as `5xx`. Agent servers behind
 * the door answer whatever they like, and every value is a series that stays until the process ends.
 */
export function statusLabel(status: number): string {
  return STATUS_CODES[status] === undefined ? `${Math.floor(status / 100)}xx` : String(status);
}
