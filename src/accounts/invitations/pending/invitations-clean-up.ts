import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Raw, Repository } from 'typeorm';
import { AuditTrail } from '../../../kernel/audit';
import { JobHandlers } from '../../../kernel/jobs';
import { Invitation, InvitationCall, InvitationCode } from '../record/invitation.entity';
import { deleteOldInvitations } from './old-invitations.query';

const EVERY_SECONDS = 3600;

/** Deleted by one statement, which ends well before its time limit. */
const BATCH_SIZE = 10_000;

/** Deletes what no limit counts any more, and invitations that were over long ago. */
@Injectable()
export class InvitationsCleanUp {
  constructor(
    @InjectRepository(Invitation) invitations: Repository<Invitation>,
    @InjectRepository(InvitationCall) calls: Repository<InvitationCall>,
    @InjectRepository(InvitationCode) codes: Repository<InvitationCode>,
    private readonly audit: AuditTrail,
    handlers: JobHandlers,
  ) {
    handlers.every('invitations-clean-up', EVERY_SECONDS, async () => {
      // By the database's clock, which set the times.
      await calls.delete({ calledAt: Raw((column) => `${column} < now() - interval '2 hours'`) });
      await codes.delete({ createdAt: Raw((column) => `${column} < now() - interval '2 days'`) });
      while ((await this.deleteOld(invitations.manager)) === BATCH_SIZE);
    });
  }

  private deleteOld(database: EntityManager): Promise<number> {
    return database.transaction(async (transaction) => {
      const deleted = await deleteOldInvitations(transaction, BATCH_SIZE);
      const deed = { by: 'system', orgId: null, action: 'invitations.deleted', onlyIfChanged: true } as const;
      await this.audit.record(transaction, deed);
      return deleted;
    });
  }
}
