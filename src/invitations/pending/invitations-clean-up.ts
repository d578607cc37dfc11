import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { JobHandlers } from '../../jobs';

const EVERY_SECONDS = 3600;

/** Removed by one statement, which ends long before its time limit. */
const AT_ONCE = 10_000;

/** How long after its last day an invitation is kept, whatever became of it, as SQL. */
const HISTORY = `interval '90 days'`;

/** Forgets what no limit counts any more, and invitations that are long over. */
@Injectable()
export class InvitationsCleanUp {
  constructor(@InjectDataSource() database: DataSource, handlers: JobHandlers) {
    handlers.every('invitations-clean-up', EVERY_SECONDS, async () => {
      await database.query(`DELETE FROM invitation_calls WHERE called_at < now() - interval '2 hours'`);
      await database.query(`DELETE FROM invitation_codes WHERE created_at < now() - interval '2 days'`);
      while ((await forgetSome(database)) === AT_ONCE);
    });
  }
}

/** @returns how many it were */
async function forgetSome(database: DataSource): Promise<number> {
  const [, removed] = await database.query<[unknown, number]>(
    `DELETE FROM invitations WHERE id IN
       (SELECT id FROM invitations WHERE expires_at < now() - ${HISTORY} LIMIT ${AT_ONCE})`,
  );
  return removed;
}
