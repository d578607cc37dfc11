import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  DomainEventLog,
  isOfService,
  type LogConsumer,
  type LoggedEvent,
} from '../../../../kernel/domain-events';
import { isSendingLogs, type LogRecord, sendLogRecord } from '../../../../kernel/telemetry';

/**
 * Sends each row of the log to a collector, where OpenTelemetry's variables ask for it: once, by the replica that gave the row its
 * position, and after that was committed (docs/audit-log.md#opentelemetry).
 */
@Injectable()
export class AuditLogRecords implements LogConsumer {
  private records: LogRecord[] = [];

  constructor(log: DomainEventLog) {
    log.consume(this);
  }

  isWaiting(): boolean {
    return isSendingLogs();
  }

  take(_: EntityManager, events: readonly LoggedEvent[]): Promise<void> {
    // A batch that was rolled back comes again.
    this.records = isSendingLogs() ? events.flatMap(recordOf) : [];
    return Promise.resolve();
  }

  committed(): void {
    for (const record of this.records) sendLogRecord(record);
    this.records = [];
  }
}

function recordOf({ position, event }: LoggedEvent): LogRecord[] {
  if (event.kind !== 'audit.recorded' || !isOfService(event)) return [];
  const { kind: eventName, entry_id, at, personal, actor, target, ...row } = event;
  return [
    {
      at: new Date(at),
      eventName,
      isWarning: row.outcome !== 'success',
      body: JSON.stringify({ id: entry_id, at, actor, target, ...row, personal, position: Number(position) }),
      attributes: given({
        'audit.id': entry_id,
        'audit.position': Number(position),
        'audit.org_id': row.org_id,
        'audit.action': row.action,
        'audit.outcome': row.outcome,
        'audit.code': row.code,
        'audit.actor.kind': actor.kind,
        'audit.target.type': target?.type,
        'audit.target.id': target?.id,
        'audit.request_id': row.request_id,
        'enduser.id': actor.user_id,
        'client.address': personal.address,
        'user_agent.original': personal.user_agent,
        'http.response.status_code': row.status,
      }),
    },
  ];
}

/** Without what is not there. */
function given(
  attributes: Readonly<Record<string, string | number | null | undefined>>,
): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) =>
      value === null || value === undefined ? [] : [[name, value] as const],
    ),
  );
}
