import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { DomainEvents } from '../../domain-events';
import type { DisabledReason } from '../record/disabled-reason';
import { DeliveryStore } from './delivery-store';
import { DISABLE, DISABLED_WITH_PENDING } from './delivery-store.query';

const DISABLED = 'The webhook is disabled.';

/** Disables endpoints (docs/webhooks.md#limits). */
@Injectable()
export class WebhookDisabling {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly store: DeliveryStore,
    private readonly events: DomainEvents,
  ) {}

  /**
   * Disables an endpoint and gives up what is pending, which can be replayed.
   * @returns false when it was disabled already, or is gone
   */
  async disable(transaction: EntityManager, webhookId: string, reason: DisabledReason): Promise<boolean> {
    const [disabled] = await DISABLE.rows(transaction, [webhookId, reason]);
    if (disabled === undefined) return false;
    await this.store.failAll(transaction, webhookId, DISABLED);
    await this.events.publish(transaction, {
      kind: 'webhook.disabled',
      org_id: disabled.org_id,
      webhook_id: webhookId,
      reason,
    });
    return true;
  }

  /** Gives up what was added to endpoints at the moment in which they were disabled. */
  async failLeftOver(): Promise<void> {
    for (const { id } of await DISABLED_WITH_PENDING.rows(this.database))
      await this.database.transaction((transaction) => this.store.failAll(transaction, id, DISABLED));
  }
}
