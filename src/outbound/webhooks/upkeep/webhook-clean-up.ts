import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { SETTINGS, type Settings } from '../../../kernel/config';
import { JobHandlers } from '../../../kernel/jobs';
import { WebhookDisabling } from '../queue/webhook-disabling';
import { BACKLOGS, DELETE_COMPLETED, DELETE_COMPLETED_OF } from './webhook-upkeep.query';

const EVERY_SECONDS = 60;
const DELETED_AT_ONCE = 5_000;
/** Pending deliveries of one endpoint (docs/webhooks.md#limits). */
const MOST_PENDING = 100_000;

/** Deletes deliveries that ended long ago, and disables endpoints that fall ever further behind. */
@Injectable()
export class WebhookCleanUp {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly disabling: WebhookDisabling,
    @Inject(SETTINGS) private readonly settings: Settings,
    handlers: JobHandlers,
  ) {
    handlers.every('webhook-clean-up', EVERY_SECONDS, () => this.cleanUp());
  }

  /** Runs every minute on one replica. */
  async cleanUp(): Promise<void> {
    for (const { id } of await BACKLOGS.rows(this.database, [MOST_PENDING]))
      await this.database.transaction((transaction) => this.disabling.disable(transaction, id, 'backlog'));
    await this.disabling.failLeftOver();
    const kept = `${this.settings.RETENTION_DELIVERIES_DAYS} days`;
    let deleted: number;
    do {
      deleted = (await DELETE_COMPLETED.rows(this.database, [kept, DELETED_AT_ONCE])).length;
    } while (deleted === DELETED_AT_ONCE);
  }

  /**
   * Removes deliveries that are completed, in the caller's transaction.
   * @returns how many these were, of how many bytes
   */
  async removeCompleted(
    transaction: EntityManager,
    ids: readonly string[],
  ): Promise<{ readonly items: number; readonly bytes: number }> {
    const [removed] = await DELETE_COMPLETED_OF.rows(transaction, [ids]);
    return removed ?? { items: 0, bytes: 0 };
  }
}
