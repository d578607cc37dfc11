import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditTrail } from '../../../kernel/audit';
import { DomainEvents } from '../../../kernel/domain-events';
import type { DisabledReason } from '../record/webhook.enums';
import { DeliveryStore } from './delivery-store';
import { DISABLE, DISABLED_WITH_PENDING, LOCK_DISABLED } from './delivery-store.query';

const DISABLED = 'The webhook is disabled.';

/** Disables endpoints (docs/webhooks.md#limits). */
@Injectable()
export class WebhookDisabling {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly store: DeliveryStore,
    private readonly events: DomainEvents,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Disables an endpoint and gives up what is pending, which can be replayed.
   * @returns false when it was disabled already, or is gone
   */
  async disable(transaction: EntityManager, webhookId: string, reason: DisabledReason): Promise<boolean> {
    const [disabled] = await DISABLE.rows(transaction, [webhookId, reason]);
    if (disabled === undefined) return false;
    await this.store.failPending(transaction, webhookId, DISABLED);
    if (reason !== 'by_request')
      await this.audit.record(transaction, {
        by: 'system',
        orgId: disabled.org_id,
        action: 'webhook.disabled',
        code: reason,
        target: { type: 'webhook', id: webhookId },
      });
    await this.events.publish(transaction, {
      kind: 'webhook.disabled',
      org_id: disabled.org_id,
      webhook_id: webhookId,
      reason,
    });
    return true;
  }

  /** Gives up what is pending at an endpoint that is about to be enabled again: it belongs to the time before. */
  async settle(transaction: EntityManager, webhookId: string): Promise<void> {
    await this.store.failAll(transaction, webhookId, DISABLED);
  }

  /** Gives up what is left at disabled endpoints: more than is given up at once, or added at that moment. */
  async failLeftOver(): Promise<void> {
    for (const { id } of await DISABLED_WITH_PENDING.rows(this.database)) while (await this.failSome(id));
  }

  private failSome(webhookId: string): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      // It may have been enabled since it was looked for: what waits now is to be sent.
      const locked = await LOCK_DISABLED.rows(transaction, [webhookId]);
      return locked.length > 0 && this.store.failPending(transaction, webhookId, DISABLED);
    });
  }
}
