import type { Client } from 'pg';
import type { Settings } from '../../../kernel/config';
import { mayChangeAuditLog } from '../../../kernel/database';
import { type Finding, ok, warn } from '../finding';

/** Whether who has the address of the database could change the audit log; nothing where there is none. */
export async function auditLogOf(
  client: Client,
  { AUDIT_LOG, DATABASE_URL }: Pick<Settings, 'AUDIT_LOG' | 'DATABASE_URL'>,
): Promise<Finding[]> {
  const mayChange = AUDIT_LOG === 'on' ? await mayChangeAuditLog(client) : null;
  if (mayChange === null) return [];
  if (!mayChange)
    return [
      ok(
        'audit log',
        'The role of DATABASE_URL adds rows to the audit log, and can neither change nor remove them.',
      ),
    ];
  return [
    DATABASE_URL === undefined
      ? ok(
          'audit log',
          'Who gets into DATA_DIR can change the audit log; audit:verify shows what was changed.',
        )
      : warn(
          'audit log',
          'The role of DATABASE_URL can change and remove rows of the audit log, which audit:verify shows and nothing prevents.',
          'Let another role own the schema, and name it in MIGRATION_DATABASE_URL: docs/operations.md, "Two roles of the database".',
        ),
  ];
}
