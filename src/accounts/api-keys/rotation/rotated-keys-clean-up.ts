import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, IsNull, LessThanOrEqual, Not } from 'typeorm';
import { AuditTrail } from '../../../kernel/audit';
import { Clock } from '../../../kernel/common';
import { JobHandlers } from '../../../kernel/jobs';
import { ApiKey } from '../keys/api-key.entity';
import { KeyIssuer } from '../keys/key-issuer';

const CLEAN_UP_SECONDS = 3_600;

/** Deletes keys that were replaced, when they have ended with the grace time. */
@Injectable()
export class RotatedKeysCleanUp {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly issuer: KeyIssuer,
    private readonly clock: Clock,
    private readonly audit: AuditTrail,
    handlers: JobHandlers,
  ) {
    handlers.every('rotated-keys-clean-up', CLEAN_UP_SECONDS, () => this.deleteRotated());
  }

  private async deleteRotated(): Promise<void> {
    const ended = { rotatedAt: Not(IsNull()), expiresAt: LessThanOrEqual(this.clock.now()) };
    await this.database.transaction(async (transaction) => {
      const select = { id: true, orgId: true } as const;
      for (const { id, orgId } of await transaction.getRepository(ApiKey).find({ where: ended, select })) {
        if (!(await this.issuer.revoke(transaction, { ...ended, id }))) continue;
        const target = { type: 'key', id: String(id) };
        await this.audit.record(transaction, { by: 'system', orgId, action: 'api_key.ended', target });
      }
    });
  }
}
