import { Module } from '@nestjs/common';
import { AuditLogController } from './reading/audit-log.controller';
import { AuditLogExports } from './reading/export/audit-log-exports';
import { AuditLogList } from './reading/list/audit-log-list';
import { AuditLogRecords } from './reading/log-records/audit-log-records';
import { AuditLogDatabase } from './reading/rows/audit-log-database';

/** The audit log: who did what, read and sent on. */
@Module({
  controllers: [AuditLogController],
  providers: [AuditLogDatabase, AuditLogExports, AuditLogList, AuditLogRecords],
})
export class AuditLogModule {}
