import { Statement } from '../../../kernel/database';

/** A message with its queue and its conversation, as events carry it. */
export interface PublishedMessage {
  readonly message_id: string;
  readonly queue_id: string;
  readonly user_id: string;
  readonly conversation_id: string | null;
  readonly org_id: string | null;
  readonly last_error: string | null;
}

/** By hand because events carry the organization, which the conversation has, or the queue before there is one: messages by their ids ($1). */
export const PUBLISHED_MESSAGES = new Statement<PublishedMessage>(
  `SELECT m.id AS message_id, m.queue_id, q.user_id, q.conversation_id, coalesce(c.org_id, q.org_id) AS org_id, m.last_error
     FROM pending_messages m JOIN message_queues q ON q.id = m.queue_id
     LEFT JOIN conversations c ON c.id = q.conversation_id
    WHERE m.id = ANY ($1) ORDER BY m.queue_id, m.rank`,
);
