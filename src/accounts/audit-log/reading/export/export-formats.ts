import { CsvLines } from '../../../../kernel/common';
import type { EXPORT_FORMATS } from '../audit-log-queries.dto';
import { ocsfEvent } from '../ocsf/ocsf-event';
import { type AuditRecord, auditRecord } from '../rows/audit-record';
import type { AuditRow } from '../rows/audit-rows.read-model';

/** How rows are written. */
export interface ExportFormat {
  readonly mediaType: string;
  readonly fileName: string;
  /** Before all lines. */
  readonly header: string;
  readonly line: (row: AuditRow) => string;
}

/** A row in one line of a table. */
function flat({ actor, target, personal, ...row }: AuditRecord) {
  return {
    position: row.position,
    id: row.id,
    org_id: row.org_id,
    at: row.at,
    actor_kind: actor.kind,
    actor_user_id: actor.user_id,
    actor_name: actor.name,
    actor_email: actor.email,
    actor_key_prefix: actor.key_prefix,
    actor_session: actor.session,
    action: row.action,
    target_type: target?.type,
    target_id: target?.id,
    outcome: row.outcome,
    status: row.status,
    code: row.code,
    request_id: row.request_id,
    address: personal?.address,
    user_agent: personal?.user_agent,
    changes: row.changes,
    changes_dropped: row.changes_dropped,
    personal_digest: row.personal_digest,
    hash: row.hash,
  } satisfies Record<string, unknown>;
}

const COLUMNS: readonly (keyof ReturnType<typeof flat>)[] = [
  ...(['position', 'id', 'org_id', 'at'] as const),
  ...([
    'actor_kind',
    'actor_user_id',
    'actor_name',
    'actor_email',
    'actor_key_prefix',
    'actor_session',
  ] as const),
  ...(['action', 'target_type', 'target_id', 'outcome', 'status', 'code', 'request_id'] as const),
  ...(['address', 'user_agent', 'changes', 'changes_dropped', 'personal_digest', 'hash'] as const),
];

const CSV = new CsvLines(COLUMNS);

/** The formats of exports, by their names. */
export const exportFormats: Readonly<Record<(typeof EXPORT_FORMATS)[number], ExportFormat>> = {
  csv: {
    mediaType: 'text/csv; charset=utf-8; header=present',
    fileName: 'audit-log.csv',
    header: CSV.header,
    line: (row) => CSV.line(flat(auditRecord(row))),
  },
  jsonl: {
    mediaType: 'application/jsonl; charset=utf-8',
    fileName: 'audit-log.jsonl',
    header: '',
    line: (row) => `${JSON.stringify(auditRecord(row))}\n`,
  },
  ocsf: {
    mediaType: 'application/jsonl; charset=utf-8',
    fileName: 'audit-log.ocsf.jsonl',
    header: '',
    line: (row) => `${JSON.stringify(ocsfEvent(row))}\n`,
  },
};
