export { AuditLog } from './audit-log';
export { AuditLogModule } from './audit-log.module';
export { countAuditSeals, resealAuditLog } from './seals/reseal';
export { type AuditFinding, type AuditVerification, verifyAuditLog } from './verify/verify-audit-log';
