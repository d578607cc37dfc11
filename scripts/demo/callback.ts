import type { CallbackReceiver } from './callback-receiver';
import { type DemoClient, recordOf } from './demo-client';
import { say, step } from './screen';

/** What the last step plays with. */
interface Played {
  readonly conversationId: string;
  readonly receiver: CallbackReceiver;
}

/**
 * The service calls a small receiver when the conversation goes on, and the receiver verifies who it was.
 * @param show shows the command of a call
 */
export async function playCallback(
  client: DemoClient,
  show: (command: string) => void,
  { conversationId, receiver }: Played,
): Promise<void> {
  step('7. Be called back');
  const { org_id } = await client.call('GET', '/api/keys/current');
  const webhooks = `/api/organizations/${String(org_id)}/webhooks`;
  const body = {
    url: `http://${receiver.host}/callbacks`,
    kinds: ['MessageEvent'],
    conversation_ids: [conversationId],
  };
  show(client.curl('POST', webhooks, body));
  const made = await client.call('POST', webhooks, body).catch((error: unknown) => {
    if (!String(error).includes('answered 422')) throw error;
    say(`this service does not call this machine: start it with WEBHOOK_ALLOWED_HOSTS=${receiver.host}`);
  });
  if (made === undefined) return;
  receiver.accept(String(made.secret));
  const path = `/api/v1/app-conversations/${conversationId}/send-message`;
  const message = { content: [{ type: 'text', text: 'Call me back.' }] };
  show(client.curl('POST', path, message));
  await client.call('POST', path, message);
  const payload = await client.until('The callback', () => Promise.resolve(receiver.payloads()[0]));
  const { event_kind, event_id } = recordOf(payload.data);
  say(`${String(payload.type)} of ${String(payload.timestamp)}: ${String(event_kind)} ${String(event_id)}`);
  say('its signature was verified with the secret of the webhook');
  await client.call('DELETE', `${webhooks}/${String(made.id)}`);
}
