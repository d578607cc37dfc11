import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { JobHandlers } from '../jobs';

const EVERY_SECONDS = 3600;

/** Forgets what no limit counts any more. */
@Injectable()
export class InvitationsCleanUp {
  constructor(@InjectDataSource() database: DataSource, handlers: JobHandlers) {
    handlers.every('invitations-clean-up', EVERY_SECONDS, async () => {
      await database.query(`DELETE FROM invitation_calls WHERE called_at < now() - interval '2 hours'`);
      await database.query(`DELETE FROM invitation_codes WHERE created_at < now() - interval '2 days'`);
    });
  }
}
