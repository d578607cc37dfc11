/** Where it is said that telemetry cannot be sent. */
export interface TelemetryLog {
  info(message: string): void;
  warn(message: string): void;
}
