import type { EntityManager } from 'typeorm';
import { type DomainEventOf, DomainEvents } from '../../domain-events';

interface MessageRow {
  readonly message_id: string;
  readonly queue_id: string;
  readonly user_id: string;
  readonly conversation_id: string | null;
  readonly org_id: string | null;
  readonly last_error: string | null;
}

/** Messages with the conversations they are for. */
function readMessages(transaction: EntityManager, ids: readonly string[]): Promise<MessageRow[]> {
  return transaction.query<MessageRow[]>(
    `SELECT m.id AS message_id, m.queue_id, q.user_id, q.conversation_id, c.org_id, m.last_error
       FROM pending_messages m JOIN message_queues q ON q.id = m.queue_id
       LEFT JOIN conversations c ON c.id = q.conversation_id
      WHERE m.id = ANY ($1) ORDER BY m.queue_id, m.rank`,
    [ids],
  );
}

/** Publishes what has become of messages, in the transaction that changed them; reads nothing unheard. */
export async function publishMessages(
  events: DomainEvents,
  transaction: EntityManager,
  kind: 'message.queued' | 'message.delivered' | 'message.failed',
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0 || !events.listensTo(kind)) return;
  const rows = await readMessages(transaction, ids);
  await events.publish(transaction, ...rows.map((row) => eventOf(kind, row)));
}

type MessageEvent = DomainEventOf<'message.*'>;

function eventOf(kind: MessageEvent['kind'], row: MessageRow): MessageEvent {
  const { message_id, queue_id, user_id, conversation_id, org_id, last_error } = row;
  const message = { org_id, conversation_id, queue_id, message_id };
  if (kind === 'message.queued') return { kind, ...message, user_id };
  if (kind === 'message.failed') return { kind, ...message, reason: last_error ?? '' };
  return { kind, ...message };
}
