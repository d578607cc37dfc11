import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { JobHandlers } from '../jobs';

const EVERY_SECONDS = 3600;

/** How long after its last day an invitation is kept, whatever became of it, as SQL. */
const HISTORY = `interval '90 days'`;

/** Forgets what no limit counts any more, and invitations that are long over. */
@Injectable()
export class InvitationsCleanUp {
  constructor(@InjectDataSource() database: DataSource, handlers: JobHandlers) {
    handlers.every('invitations-clean-up', EVERY_SECONDS, async () => {
      await database.query(`DELETE FROM invitation_calls WHERE called_at < now() - interval '2 hours'`);
      await database.query(`DELETE FROM invitation_codes WHERE created_at < now() - interval '2 days'`);
      await database.query(`DELETE FROM invitations WHERE expires_at < now() - ${HISTORY}`);
    });
  }
}
