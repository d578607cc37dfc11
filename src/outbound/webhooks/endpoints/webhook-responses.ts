import type { Webhook } from '../record/webhook.entity';
import type { WebhookResponse } from './webhooks.dto';

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
