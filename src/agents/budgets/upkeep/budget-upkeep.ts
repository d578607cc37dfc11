import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { JobHandlers, type RunningJob } from '../../../kernel/jobs';
import { UNSEEN_SECONDS } from '../calls/calling-process';
import { LOSE_CALLS } from '../calls/model-calls.query';
import { BudgetMarks } from '../marks/budget-marks';
import { FOLD_DELTAS, FORGET_SPENDING } from './budget-upkeep.query';

const EVERY_SECONDS = 5;
const FORGET_EVERY_SECONDS = 21_600;
const DELTAS_AT_ONCE = 1_000;
const CALLS_AT_ONCE = 500;

/** Adds to budgets what agent servers report, and what calls of dead processes may have cost; marks limits that these reach. */
@Injectable()
export class BudgetUpkeep {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly marks: BudgetMarks,
    handlers: JobHandlers,
  ) {
    handlers.every('budgets', EVERY_SECONDS, (job) => this.run(job.signal));
    handlers.every('forget-budget-spending', FORGET_EVERY_SECONDS, () => this.forget());
  }

  /** All there is, in rounds. @param signal ends it after the round it is in */
  async run(signal?: RunningJob['signal']): Promise<void> {
    try {
      await this.fold(signal);
      await this.lose(signal);
    } finally {
      await this.marks.catchUp();
    }
  }

  /** Settles calls of dead processes. @param unseenSeconds how long such a process was not seen @returns how many */
  async lose(signal?: RunningJob['signal'], unseenSeconds = UNSEEN_SECONDS): Promise<number> {
    let total = 0;
    for (let last = CALLS_AT_ONCE; last === CALLS_AT_ONCE && signal?.aborted !== true; total += last) {
      const [row] = await LOSE_CALLS.rows(this.database, [`${unseenSeconds} seconds`, CALLS_AT_ONCE]);
      last = row?.lost ?? 0;
      await this.marks.reached(row?.crossed ?? []);
    }
    return total;
  }

  /** Removes what nobody reads any more of budgets for each user. */
  async forget(): Promise<void> {
    await FORGET_SPENDING.rows(this.database, []);
  }

  private async fold(signal?: RunningJob['signal']): Promise<void> {
    for (let last = DELTAS_AT_ONCE; last === DELTAS_AT_ONCE && signal?.aborted !== true;) {
      const [row] = await FOLD_DELTAS.rows(this.database, [DELTAS_AT_ONCE]);
      last = row?.folded ?? 0;
      await this.marks.reached(row?.crossed ?? []);
    }
  }
}
