/** The log for telemetry that cannot be sent. */
export interface TelemetryLog {
  info(message: string): void;
  warn(message: string): void;
}
