import type { DataSource } from 'typeorm';
import type { AuditFields } from '../../../src/kernel/domain-events';
import { eventually } from '../eventually';

/** Rows of the audit log that are logged, in the order in which they were. */
export async function auditRows(db: DataSource, requestId?: string): Promise<AuditFields[]> {
  const rows = await db.query<{ event: AuditFields }[]>(
    `SELECT event FROM domain_events
      WHERE kind = 'audit.recorded' AND ($1::text IS NULL OR event ->> 'request_id' = $1) ORDER BY id`,
    [requestId ?? null],
  );
  return rows.map(({ event }) => event);
}

/** The rows of a request, once there is one. */
export async function rowsOf(db: DataSource, requestId: string): Promise<AuditFields[]> {
  let found: AuditFields[] = [];
  await eventually(async () => {
    found = await auditRows(db, requestId);
    if (found.length === 0) throw new Error(`No row of the request ${requestId}`);
  }, 3_000);
  return found;
}
