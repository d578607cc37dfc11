import type { WebhookAttempt } from '../record/webhook-attempt.entity';
import type { WebhookDelivery } from '../record/webhook-delivery.entity';
import type {
  WebhookAttemptResponse,
  WebhookDeliveryDetails,
  WebhookDeliveryResponse,
} from './deliveries.dto';

/** A delivery as lists answer it. */
export function toDelivery(delivery: Omit<WebhookDelivery, 'data'>): WebhookDeliveryResponse {
  return {
    id: delivery.id,
    type: delivery.type,
    event_kind: delivery.eventKind,
    conversation_id: delivery.conversationId,
    state: delivery.state,
    attempt_count: delivery.attempts,
    last_error: delivery.lastError,
    occurred_at: delivery.occurredAt.toISOString(),
    created_at: delivery.createdAt.toISOString(),
    completed_at: delivery.completedAt?.toISOString() ?? null,
    expires_at: delivery.state === 'pending' ? delivery.expiresAt.toISOString() : null,
  };
}

/** A delivery with what was sent and its attempts. */
export function toDetails(
  delivery: WebhookDelivery,
  attempts: readonly WebhookAttempt[],
): WebhookDeliveryDetails {
  const data: unknown = JSON.parse(delivery.data);
  return Object.assign(toDelivery(delivery), { data, attempts: attempts.map(toAttempt) });
}

function toAttempt({
  number,
  at,
  durationMs,
  status,
  error,
  answer,
}: WebhookAttempt): WebhookAttemptResponse {
  return { number, at: at.toISOString(), duration_ms: durationMs, status, error, answer };
}
