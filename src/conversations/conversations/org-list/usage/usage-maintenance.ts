import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { JobHandlers, type RunningJob } from '../../../../kernel/jobs';
import { FOLD_USAGE } from './usage.query';

const EVERY_SECONDS = 10;
/** Each may have fifty tags: one round stays far below the time limit of a statement. */
const DELTAS_AT_ONCE = 5_000;

/** Users, models, repositories and tags of an organization on one day that are told apart (docs/contract.md#usage). */
const VALUES_OF_DAY = 1_000;
/** Of these, how many one user's conversations bring: tags, and models as agents name them, may be any text. */
const VALUES_OF_USER = 100;

/** Adds what conversations spent to the usage by day (docs/decisions/0052-usage-by-day.md). */
@Injectable()
export class UsageMaintenance {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    handlers: JobHandlers,
  ) {
    handlers.every('fold-usage', EVERY_SECONDS, (job) => this.fold(job.signal));
  }

  /** Adds all deltas there are, in rounds. @param signal ends it after the round it is in */
  async fold(signal?: RunningJob['signal']): Promise<void> {
    let folded = DELTAS_AT_ONCE;
    while (folded === DELTAS_AT_ONCE && signal?.aborted !== true) {
      const [row] = await FOLD_USAGE.rows(this.database, [DELTAS_AT_ONCE, VALUES_OF_DAY, VALUES_OF_USER]);
      folded = row?.folded ?? 0;
    }
  }
}
