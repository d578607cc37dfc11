import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { JobHandlers, type RunningJob } from '../../../../kernel/jobs';
import {
  FOLD_COMPLETED_COUNTS,
  FOLD_CONVERSATION_COUNTS,
  FOLD_SANDBOX_COUNTS,
  FOLD_SANDBOX_STATUSES,
} from './counters.query';

const EVERY_SECONDS = 10;
/** So that one round stays far below the time limit of a statement. */
const CHANGES_AT_ONCE = 20_000;
const IN_ROUNDS = [FOLD_CONVERSATION_COUNTS, FOLD_COMPLETED_COUNTS, FOLD_SANDBOX_STATUSES];

/**
 * Adds the changes that writers recorded to the counters of the organization list
 * (docs/decisions/0010-counters-kept-by-the-database.md).
 */
@Injectable()
export class CounterMaintenance {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    handlers: JobHandlers,
  ) {
    handlers.every('fold-conversation-counts', EVERY_SECONDS, (job) => this.fold(job.signal));
  }

  /** Adds all changes there are, in rounds. @param signal ends it after the round it is in */
  async fold(signal?: RunningJob['signal']): Promise<void> {
    for (const statement of IN_ROUNDS) {
      let folded = CHANGES_AT_ONCE;
      while (folded === CHANGES_AT_ONCE && signal?.aborted !== true) {
        const [row] = await statement.rows(this.database, [CHANGES_AT_ONCE]);
        folded = row?.folded ?? 0;
      }
    }
    await FOLD_SANDBOX_COUNTS.rows(this.database);
  }
}
