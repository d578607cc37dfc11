import { randomUUID } from 'node:crypto';
import { context, propagation, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { type ExportResult, ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core';
import { SeverityNumber } from '@opentelemetry/api-logs';
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-proto';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { VERSION } from '../../common';
import type { LogRecord } from '../log-records';
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

/** Records that wait for a collector; those that come while as many do are dropped. */
const MOST_LOGS = 20_000;

/** Signals that are being sent. */
interface Sending {
  /** Sends what is left, and ends. */
  readonly shutdown: () => Promise<unknown>;
  /** Undefined where logs are not asked for. */
  readonly sendLog: ((record: LogRecord) => void) | undefined;
}

/**
 * Begins to send signals. Addresses, headers, samplers, limits and intervals are read from the environment by OpenTelemetry's
 * own packages. What cannot be sent is kept in a queue of bounded length, then dropped.
 */
export function openTelemetry({ traces, metrics, logs }: Signals, log: TelemetryLog): Sending {
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
  const logging = logs
    ? new LoggerProvider({
        resource,
        processors: [
          new BatchLogRecordProcessor({
            exporter: reports.watch('Log records', new OTLPLogExporter()),
            maxQueueSize: MOST_LOGS,
          }),
        ],
      })
    : undefined;
  if (logging !== undefined) providers.push(logging);
  return {
    sendLog: logging && senderOf(logging),
    shutdown: async () => {
      for (const api of [trace, context, propagation]) api.disable();
      await Promise.all(providers.map((provider) => provider.shutdown()));
    },
  };
}

/** Records are of no span: what numbers rows of the log is no part of what they are about. */
function senderOf(provider: LoggerProvider): (record: LogRecord) => void {
  const logger = provider.getLogger(SERVICE_NAME, VERSION);
  return ({ at, eventName, isWarning, body, attributes }) =>
    logger.emit({
      timestamp: at,
      observedTimestamp: new Date(),
      eventName,
      severityNumber: isWarning ? SeverityNumber.WARN : SeverityNumber.INFO,
      severityText: isWarning ? 'WARN' : 'INFO',
      body,
      attributes,
      context: ROOT_CONTEXT,
    });
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
