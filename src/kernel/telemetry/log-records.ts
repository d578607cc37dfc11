/** Something to tell a collector apart from the log of the service. */
export interface LogRecord {
  readonly at: Date;
  /** What kind of thing it is. */
  readonly eventName: string;
  readonly isWarning: boolean;
  readonly body: string;
  readonly attributes: Readonly<Record<string, string | number>>;
}

let send: ((record: LogRecord) => void) | undefined;

/** From now on records are sent so, or no more. */
export function setLogSender(next: ((record: LogRecord) => void) | undefined): void {
  send = next;
}

/** Whether records are sent. */
export function isSendingLogs(): boolean {
  return send !== undefined;
}

/** Sends a record soon, with others; nothing where nobody asked for them. Never throws, and waits for nothing. */
export function sendLogRecord(record: LogRecord): void {
  send?.(record);
}
