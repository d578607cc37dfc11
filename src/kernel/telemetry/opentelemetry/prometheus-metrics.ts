import { type HrTime, ValueType } from '@opentelemetry/api';
import { hrTime, millisToHrTime } from '@opentelemetry/core';
import type { Resource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  type CollectionResult,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';
import type { MetricObjectWithValues, MetricValueWithName } from 'prom-client';
import { VERSION } from '../../common';
import { readMetrics } from '../metrics-source';
import { SERVICE_NAME } from '../tracing';

type PrometheusMetric = MetricObjectWithValues<MetricValueWithName<string>>;
type Value = MetricValueWithName<string>;

/** Gives the metrics of `GET /metrics` to OpenTelemetry, under the same names: there is one set of metrics. */
export class PrometheusMetrics implements MetricProducer {
  private readonly startTime = millisToHrTime(Math.round(performance.timeOrigin));

  constructor(private readonly resource: Resource) {}

  async collect(): Promise<CollectionResult> {
    const endTime = hrTime();
    const metrics = (await readMetrics()).flatMap((metric) => this.dataOf(metric, endTime));
    const scope = { name: SERVICE_NAME, version: VERSION };
    return { resourceMetrics: { resource: this.resource, scopeMetrics: [{ scope, metrics }] }, errors: [] };
  }

  private dataOf(metric: PrometheusMetric, endTime: HrTime): MetricData[] {
    const { name, help: description } = metric;
    const type = String(metric.type);
    const descriptor = { name, description, unit: unitOf(name), valueType: ValueType.DOUBLE };
    const common = { descriptor, aggregationTemporality: AggregationTemporality.CUMULATIVE };
    const times = { startTime: this.startTime, endTime };
    const numbers = (): DataPoint<number>[] =>
      metric.values.map(({ value, labels }) => ({ ...times, attributes: { ...labels }, value }));
    if (type === 'counter')
      return [{ ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: numbers() }];
    if (type === 'gauge') return [{ ...common, dataPointType: DataPointType.GAUGE, dataPoints: numbers() }];
    if (type !== 'histogram') return [];
    const dataPoints = histogramsOf(metric).map(({ attributes, value }) => ({ ...times, attributes, value }));
    return [{ ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints }];
  }
}

function unitOf(name: string): string {
  if (/_seconds(?:_total)?$/.test(name)) return 's';
  return /_bytes(?:_total)?$/.test(name) ? 'By' : '';
}

/** Buckets of Prometheus are cumulative; those of OpenTelemetry are not. */
function histogramsOf({
  name,
  values,
}: PrometheusMetric): { attributes: Record<string, string>; value: Histogram }[] {
  const bySeries = new Map<string, { attributes: Record<string, string>; values: Value[] }>();
  for (const value of values) {
    const labels = Object.entries(value.labels).filter(([label]) => label !== 'le');
    const attributes = Object.fromEntries(labels.map(([label, text]) => [label, String(text)]));
    const key = JSON.stringify(attributes);
    const series = bySeries.get(key) ?? { attributes, values: [] };
    bySeries.set(key, series);
    series.values.push(value);
  }
  return [...bySeries.values()].map((series) => ({
    attributes: series.attributes,
    value: histogramOf(name, series.values),
  }));
}

function histogramOf(name: string, values: readonly Value[]): Histogram {
  const named = (suffix: string): readonly Value[] =>
    values.filter(({ metricName }) => metricName === `${name}_${suffix}`);
  const buckets = named('bucket');
  const cumulative = buckets.map(({ value }) => value);
  return {
    buckets: {
      boundaries: buckets.map(({ labels }) => Number(labels.le)).filter(Number.isFinite),
      counts: cumulative.map((count, n) => count - (cumulative[n - 1] ?? 0)),
    },
    sum: named('sum')[0]?.value ?? 0,
    count: named('count')[0]?.value ?? 0,
  };
}
