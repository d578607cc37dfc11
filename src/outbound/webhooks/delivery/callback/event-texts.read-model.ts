import { PreparedStatement } from '../../../../kernel/database';

/**
 * The texts of agents' events (conversations $1, ids $2) of at most so many bytes ($3): the event of a callback is read when
 * it is sent, so that nothing of a deleted conversation is. By hand because several are read at once.
 */
export const EVENT_TEXTS = new PreparedStatement<{
  readonly conversation_id: string;
  readonly id: string;
  readonly text: string;
}>(
  'webhook-event-texts',
  `SELECT e.conversation_id, e.id, e.payload AS text
     FROM unnest($1::uuid[], $2::text[]) AS a (conversation_id, id)
     JOIN events e ON e.conversation_id = a.conversation_id AND e.id = a.id
    WHERE octet_length(e.payload) <= $3`,
);
