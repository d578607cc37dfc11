import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller, OrgContext } from '../../../kernel/auth';
import { Clock } from '../../../kernel/common';
import { DomainEvents } from '../../../kernel/domain-events';
import { WebhookDisabling } from '../queue/webhook-disabling';
import { requireAuditLog } from '../record/audit-kinds';
import type { Webhook } from '../record/webhook.entity';
import { WebhookSecrets } from '../secrets/webhook-secrets';
import type { WebhookResponse, WebhookWithSecret } from './webhooks.dto';
import { WebhooksRepository } from './webhooks.repository';

/** How long the secret before a rotation still signs. */
const ROTATION_MS = 24 * 60 * 60 * 1000;

/** Enables and disables webhooks and rotates their secrets (docs/webhooks.md#managing-webhooks). */
@Injectable()
export class WebhookOperationsService {
  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly disabling: WebhookDisabling,
    private readonly secrets: WebhookSecrets,
    private readonly events: DomainEvents,
    private readonly clock: Clock,
  ) {}

  /**
   * Sends again what happens from now on; what failed while it was disabled can be replayed.
   * @throws WebhookNotFoundError; KeyScopeError and PermissionDeniedError where it has rows of the audit log sent
   */
  enable(caller: Caller, org: OrgContext, id: string): Promise<WebhookResponse> {
    const { userId } = caller;
    return this.webhooks.change(org.orgId, id, async (transaction, webhook) => {
      requireAuditLog(caller, org, await this.webhooks.kindsSent(transaction, webhook));
      if (webhook.enabled) return toResponse(webhook, this.clock.now());
      await this.disabling.settle(transaction, webhook.id);
      const changes = { enabled: true, disabledReason: null, disabledAt: null, failingSince: null };
      return this.changed(transaction, webhook, { userId, field: 'enabled', changes });
    });
  }

  /**
   * Disables it: pending deliveries fail.
   * @throws WebhookNotFoundError
   */
  disable({ orgId }: OrgContext, id: string): Promise<WebhookResponse> {
    return this.webhooks.change(orgId, id, async (transaction, webhook) => {
      await this.disabling.disable(transaction, webhook.id, 'by_request');
      return toResponse(await this.webhooks.getLocked(transaction, orgId, id), this.clock.now());
    });
  }

  /**
   * Gives it a new secret; for a day callbacks are signed with the present one as well.
   * @throws WebhookNotFoundError; KeyScopeError and PermissionDeniedError where it has rows of the audit log sent
   */
  rotateSecret(caller: Caller, org: OrgContext, id: string): Promise<WebhookWithSecret> {
    const { userId } = caller;
    return this.webhooks.change(org.orgId, id, async (transaction, webhook) => {
      requireAuditLog(caller, org, await this.webhooks.kindsSent(transaction, webhook));
      const secret = this.secrets.make();
      const changes = {
        sealedSecret: this.secrets.seal(webhook.id, secret),
        sealedPreviousSecret: webhook.sealedSecret,
        previousSecretUntil: new Date(this.clock.now().getTime() + ROTATION_MS),
      };
      const changed = await this.changed(transaction, webhook, { userId, field: 'secret', changes });
      return Object.assign(changed, { secret });
    });
  }

  private async changed(
    transaction: EntityManager,
    { id, orgId }: Webhook,
    { userId, field, changes }: { userId: string; field: string; changes: Partial<Webhook> },
  ): Promise<WebhookResponse> {
    await this.webhooks.update(transaction, id, changes);
    await this.events.publish(transaction, {
      kind: 'webhook.updated',
      org_id: orgId,
      webhook_id: id,
      user_id: userId,
      fields: [field],
    });
    return toResponse(await this.webhooks.getLocked(transaction, orgId, id), this.clock.now());
  }
}

/** A webhook as it is answered. @param now a previous secret that has ended by then is not shown */
export function toResponse(webhook: Webhook, now: Date): WebhookResponse {
  const { previousSecretUntil: until } = webhook;
  return {
    id: webhook.id,
    url: webhook.url,
    description: webhook.description,
    kinds: webhook.kinds,
    conversation_ids: webhook.conversationIds,
    tags: webhook.tags,
    enabled: webhook.enabled,
    disabled_reason: webhook.disabledReason,
    disabled_at: webhook.disabledAt?.toISOString() ?? null,
    failing_since: webhook.failingSince?.toISOString() ?? null,
    previous_secret_until: until !== null && until > now ? until.toISOString() : null,
    created_by_user_id: webhook.createdByUserId,
    created_at: webhook.createdAt.toISOString(),
    updated_at: webhook.updatedAt.toISOString(),
  };
}
