export { AuditLogModule } from './audit-log.module';
export { exportFormats, type ExportFormat } from './reading/export/export-formats';
export { type AuditFilter, EVERYTHING } from './reading/rows/audit-filter';
export { type AuditRow, auditRowsByPosition } from './reading/rows/audit-rows.read-model';
