import { randomUUID } from 'node:crypto';
import { context, propagation, trace } from '@opentelemetry/api';
import { type ExportResult, ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { VERSION } from '../../common';
import type { Signals } from '../signals';
import type { TelemetryLog } from '../telemetry-log';
import { SERVICE_NAME } from '../tracing';
import { PrometheusMetrics } from './prometheus-metrics';

/** An exporter of whatever signal. */
interface Exporter<Items> {
  export(items: Items, done: (result: ExportResult) => void): void;
}

/** Logs once that a signal cannot be sent, and once that it can be again: a collector that is away is no reason for more. */
class ExportReports {
  constructor(private readonly log: TelemetryLog) {}

  /** @param signal how its sentence begins @returns the exporter */
  watch<Items, Watched extends Exporter<Items>>(
    signal: string,
    exporter: Watched & Exporter<Items>,
  ): Watched {
    const send = exporter.export.bind(exporter);
    let isLost = false;
    exporter.export = (items, done) => {
      send(items, (result) => {
        const hasFailed = result.code !== ExportResultCode.SUCCESS;
        if (hasFailed && !isLost)
          this.log.warn(
            `${signal} cannot be sent: ${result.error?.message ?? 'refused'}. They are dropped until it works.`,
          );
        if (!hasFailed && isLost) this.log.info(`${signal} are sent again.`);
        isLost = hasFailed;
        done(result);
      });
    };
    return exporter;
  }
}

/**
 * Begins to send signals. Addresses, headers, samplers, limits and intervals are read from the environment by OpenTelemetry's
 * own packages. What cannot be sent is kept in a queue of bounded length, then dropped.
 * @returns sends what is left, and ends
 */
export function openTelemetry({ traces, metrics }: Signals, log: TelemetryLog): () => Promise<unknown> {
  const resource = ownResource();
  const reports = new ExportReports(log);
  const providers: { shutdown(): Promise<unknown> }[] = [];
  if (traces) {
    const exporter = reports.watch('Traces', new OTLPTraceExporter());
    const provider = new NodeTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(exporter)] });
    provider.register({ propagator: new W3CTraceContextPropagator() });
    providers.push(provider);
  }
  if (metrics) {
    const exporter = reports.watch('Metrics', new OTLPMetricExporter());
    const metricProducers = [new PrometheusMetrics(resource)];
    providers.push(
      new MeterProvider({
        resource,
        readers: [
          new PeriodicExportingMetricReader({ exporter, metricProducers, ...intervalOf(process.env) }),
        ],
      }),
    );
  }
  return async () => {
    for (const api of [trace, context, propagation]) api.disable();
    await Promise.all(providers.map((provider) => provider.shutdown()));
  };
}

/** The resource; OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES extend or override it. */
function ownResource(): Resource {
  const own = resourceFromAttributes({
    'service.name': SERVICE_NAME,
    'service.version': VERSION,
    'service.instance.id': randomUUID(),
  });
  return defaultResource()
    .merge(own)
    .merge(detectResources({ detectors: [envDetector] }));
}

/** The package reads this variable only as a part of the whole SDK. */
function intervalOf({ OTEL_METRIC_EXPORT_INTERVAL: interval }: NodeJS.ProcessEnv): {
  exportIntervalMillis?: number;
  exportTimeoutMillis?: number;
} {
  const ms = Number(interval ?? '');
  return ms > 0 ? { exportIntervalMillis: ms, exportTimeoutMillis: Math.min(ms, 30_000) } : {};
}
