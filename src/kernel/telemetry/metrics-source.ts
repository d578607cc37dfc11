import type { MetricObjectWithValues, MetricValueWithName } from 'prom-client';

/** Reads the metrics of this process, as prom-client keeps them. */
export type MetricsSource = () => Promise<MetricObjectWithValues<MetricValueWithName<string>>[]>;

let source: MetricsSource = () => Promise.resolve([]);

/** From now on these are the metrics that are sent. */
export function setMetricsSource(next: MetricsSource): void {
  source = next;
}

/** The metrics of this process. */
export const readMetrics: MetricsSource = () => source();
