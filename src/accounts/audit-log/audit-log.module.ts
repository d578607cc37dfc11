import { Module } from '@nestjs/common';
import { AuditLog } from './audit-log';
import { ChainWriter } from './chain/chain-writer';
import { OldSpans } from './retention/old-spans';
import { AuditSeals } from './seals/audit-seals';

/** Who did what: rows in chains that nothing can be taken from unseen (docs/audit-log.md). */
@Module({
  providers: [AuditLog, AuditSeals, ChainWriter, OldSpans],
  exports: [AuditLog],
})
export class AuditLogModule {}
