export { inLogged, inRequest, logIdentity, RequestNote } from './log-identity';
export { isSendingLogs, type LogRecord, sendLogRecord } from './log-records';
export { type MetricsSource, setMetricsSource } from './metrics-source';
export { startTelemetry, type Telemetry } from './telemetry';
export type { TelemetryLog } from './telemetry-log';
export {
  failSpan,
  failureType,
  inSpan,
  isRecording,
  isTracing,
  outsideOfSpans,
  spanIdentity,
  startSpan,
  traceContext,
  type TraceContext,
  traceHeaders,
} from './tracing';
