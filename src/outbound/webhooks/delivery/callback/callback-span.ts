import { SpanKind } from '@opentelemetry/api';
import { failSpan, inSpan } from '../../../../kernel/telemetry';
import type { Attempt, Callback } from './callback-sender';

/** The webhook and conversation of a callback. */
interface About {
  readonly webhookId: string;
  readonly conversationId: string | null;
}

/** Makes a callback in a span. Its trace id is not sent to the endpoint, which is a third party. */
export function inCallbackSpan(
  { webhookId, conversationId }: About,
  { deliveryId, url }: Callback,
  make: () => Promise<Attempt>,
): Promise<Attempt> {
  const attributes = {
    'http.request.method': 'POST',
    'server.address': new URL(url).hostname,
    'messaging.destination.name': webhookId,
    'messaging.message.id': deliveryId,
    'gen_ai.conversation.id': conversationId ?? undefined,
  };
  return inSpan('POST callback', { kind: SpanKind.CLIENT, attributes }, async (span) => {
    const attempt = await make();
    span.setAttributes({ 'http.response.status_code': attempt.status ?? undefined });
    if (attempt.error !== null)
      failSpan(span, attempt.status === null ? 'no_answer' : String(attempt.status));
    return attempt;
  });
}
