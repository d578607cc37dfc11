import { Statement } from '../../../kernel/database';

/* By hand because which messages are in an organization is said by their conversations. */

const OF_PERSON = `q.user_id = $1 AND ($2::uuid IS NULL OR coalesce(c.org_id, q.org_id) = $2)`;

/** A message as its person gets it. */
export interface ExportedMessage {
  readonly queue_id: string;
  readonly rank: string;
  readonly id: string;
  readonly conversation_id: string | null;
  readonly state: string;
  readonly created_at: Date;
  readonly delivered_at: Date | null;
  /** JSON text of its blocks. */
  readonly content: string;
}

/** Those of a person ($1), in an organization ($2) or all, after a place ($3, $4): so many bytes together, or one. */
export const EXPORTED_MESSAGES = new Statement<ExportedMessage>(
  `SELECT id, queue_id, rank, conversation_id, state, created_at, delivered_at, content FROM (
     SELECT m.id, m.queue_id, m.rank, q.conversation_id, m.state, m.created_at, m.delivered_at, m.content,
            sum(octet_length(m.content)) OVER (ORDER BY m.queue_id, m.rank, m.id) - octet_length(m.content) AS before
       FROM message_queues q JOIN pending_messages m ON m.queue_id = q.id
       LEFT JOIN conversations c ON c.id = q.conversation_id
      WHERE ${OF_PERSON} AND c.deleted_at IS NULL AND (m.queue_id, m.rank) > ($3, $4)
      ORDER BY m.queue_id, m.rank, m.id LIMIT 500) sized
    WHERE before < 4194304 ORDER BY queue_id, rank`,
);

/** How many messages a person ($1) has, in an organization ($2) or all. */
export const COUNT_MESSAGES = new Statement<{ readonly messages: number }>(
  `SELECT count(*)::integer AS messages
     FROM message_queues q JOIN pending_messages m ON m.queue_id = q.id
     LEFT JOIN conversations c ON c.id = q.conversation_id
    WHERE ${OF_PERSON} AND c.deleted_at IS NULL`,
);
