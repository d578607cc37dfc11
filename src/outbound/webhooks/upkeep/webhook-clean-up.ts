import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { JobHandlers } from '../../../kernel/jobs';
import { WebhookDisabling } from '../queue/webhook-disabling';
import { BACKLOGS, DELETE_COMPLETED } from './webhook-upkeep.query';

const EVERY_SECONDS = 60;
const KEPT = '7 days';
const DELETED_AT_ONCE = 5_000;
/** Pending deliveries of one endpoint (docs/webhooks.md#limits). */
const MOST_PENDING = 100_000;

/** Deletes deliveries that ended long ago, and disables endpoints that fall ever further behind. */
@Injectable()
export class WebhookCleanUp {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly disabling: WebhookDisabling,
    handlers: JobHandlers,
  ) {
    handlers.every('webhook-clean-up', EVERY_SECONDS, () => this.cleanUp());
  }

  /** Runs every minute on one replica. */
  async cleanUp(): Promise<void> {
    for (const { id } of await BACKLOGS.rows(this.database, [MOST_PENDING]))
      await this.database.transaction((transaction) => this.disabling.disable(transaction, id, 'backlog'));
    await this.disabling.failLeftOver();
    let deleted: number;
    do {
      deleted = (await DELETE_COMPLETED.rows(this.database, [KEPT, DELETED_AT_ONCE])).length;
    } while (deleted === DELETED_AT_ONCE);
  }
}
