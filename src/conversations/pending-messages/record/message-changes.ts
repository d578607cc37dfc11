import type { EntityManager } from 'typeorm';
import { type DomainEventOf, DomainEvents } from '../../../kernel/domain-events';
import { PUBLISHED_MESSAGES, type PublishedMessage } from './published-message.read-model';

/** Publishes what has become of messages, in the transaction that changed them; reads nothing if nobody listens. */
export async function publishMessages(
  events: DomainEvents,
  transaction: EntityManager,
  kind: 'message.queued' | 'message.delivered' | 'message.failed',
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0 || !events.listensTo(kind)) return;
  const rows = await PUBLISHED_MESSAGES.rows(transaction, [ids]);
  await events.publish(transaction, ...rows.map((row) => eventOf(kind, row)));
}

type MessageEvent = DomainEventOf<'message.*'>;

function eventOf(kind: MessageEvent['kind'], row: PublishedMessage): MessageEvent {
  const { message_id, queue_id, user_id, conversation_id, org_id, last_error } = row;
  const message = { org_id, conversation_id, queue_id, message_id };
  if (kind === 'message.queued') return { kind, ...message, user_id };
  if (kind === 'message.failed') return { kind, ...message, reason: last_error ?? '' };
  return { kind, ...message };
}
