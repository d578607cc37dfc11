import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { MEBIBYTE } from '../../../kernel/common';
import { SETTINGS, type Settings } from '../../../kernel/config';
import { JobHandlers, type RunningJob } from '../../../kernel/jobs';
import { DELETE_OLD_STARTS, DELETE_STARTS_BEYOND } from './old-start-tasks.query';

const EVERY_SECONDS = 600;
const AT_ONCE = 1_000;

/** Deletes start tasks a while after their end, as messages (docs/contract.md#start-tasks). */
@Injectable()
export class OldStartTasks {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    @Inject(SETTINGS) private readonly settings: Settings,
    handlers: JobHandlers,
  ) {
    handlers.every('old-start-tasks', EVERY_SECONDS, (job) => this.remove(job));
  }

  private async remove({ signal }: RunningJob): Promise<void> {
    const { DELIVERED_DAYS, DELIVERED_MEBIBYTES_PER_ORG } = this.settings;
    for (const [statement, most] of [
      [DELETE_OLD_STARTS, `${DELIVERED_DAYS} days`],
      [DELETE_STARTS_BEYOND, DELIVERED_MEBIBYTES_PER_ORG * MEBIBYTE],
    ] as const)
      while ((await statement.rows(this.database, [most, AT_ONCE])).length === AT_ONCE)
        signal.throwIfAborted();
  }
}
