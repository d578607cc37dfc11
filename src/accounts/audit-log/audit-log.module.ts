import { Module } from '@nestjs/common';
import { AuditLog } from './audit-log';
import { ChainWriter } from './chain/chain-writer';
import { AuditLogController } from './reading/audit-log.controller';
import { AuditLogExports } from './reading/export/audit-log-exports';
import { AuditLogList } from './reading/list/audit-log-list';
import { AuditLogRecords } from './reading/log-records/audit-log-records';
import { AuditLogDatabase } from './reading/rows/audit-log-database';
import { OldSpans } from './retention/old-spans';
import { AuditSeals } from './seals/audit-seals';

/** Who did what: rows in chains that nothing can be taken from unseen, read and sent on (docs/audit-log.md). */
@Module({
  controllers: [AuditLogController],
  providers: [
    AuditLog,
    AuditLogDatabase,
    AuditLogExports,
    AuditLogList,
    AuditLogRecords,
    AuditSeals,
    ChainWriter,
    OldSpans,
  ],
  exports: [AuditLog],
})
export class AuditLogModule {}
