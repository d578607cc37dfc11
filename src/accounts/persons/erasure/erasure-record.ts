import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditTrail } from '../../../kernel/audit';
import { AuditLog } from '../../audit-log';
import type { Erasure } from './erasure.entity';

/** What is written of an erasure in the audit log, in the transaction that ends it: it happens exactly once. */
@Injectable()
export class ErasureRecord {
  constructor(
    private readonly trail: AuditTrail,
    private readonly log: AuditLog,
  ) {}

  /** With the account goes what the log still says of the person, which is little; its rows stay, with their id. */
  async erased(
    transaction: EntityManager,
    { userId, orgId, ofAccount, askedBy, askedByUserId }: Erasure,
  ): Promise<void> {
    for (let isLeft = ofAccount; isLeft;) isLeft = await this.log.erasePerson(transaction, userId);
    await this.trail.record(transaction, {
      by: askedBy === 'operator' ? 'operator' : 'user',
      userId: askedByUserId,
      orgId,
      action: 'person.erased',
      target: { type: 'user', id: userId },
    });
  }
}
