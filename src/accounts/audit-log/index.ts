export { AuditLog } from './audit-log';
export { AuditLogModule } from './audit-log.module';
export { countAuditSeals, resealAuditLog } from './seals/reseal';
export { type AuditFinding, type AuditVerification, verifyAuditLog } from './verify/verify-audit-log';
export { exportFormats, type ExportFormat } from './reading/export/export-formats';
export { type AuditFilter, EVERYTHING } from './reading/rows/audit-filter';
export { type AuditRow, auditRowsByPosition } from './reading/rows/audit-rows.read-model';
