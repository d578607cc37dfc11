export { type MetricsSource, setMetricsSource } from './metrics-source';
export { startTelemetry, type Telemetry } from './telemetry';
export type { TelemetryLog } from './telemetry-log';
export {
  type Attributes,
  failureType,
  inSpan,
  isRecording,
  isTracing,
  outsideOfSpans,
  type Span,
  spanIdentity,
  type SpanOptions,
  startSpan,
  traceContext,
  type TraceContext,
  traceHeaders,
} from './tracing';
