import { Statement } from '../../../kernel/database';

/* By hand because logs of many conversations are added up, or deleted, at once; a trigger deletes the events with their log. */

/** How many events conversations ($1) have had. */
export const COUNT_EVENTS = new Statement<{ readonly events: number }>(
  `SELECT coalesce(sum(last_seq), 0)::integer AS events FROM event_logs WHERE conversation_id = ANY ($1)`,
);

/** Those of conversations ($1) that have a log. */
export const LOGGED = new Statement<{ readonly conversation_id: string }>(
  `SELECT conversation_id FROM event_logs WHERE conversation_id = ANY ($1)`,
);

/** Deletes the log of a conversation ($1). */
export const DELETE_LOG = new Statement(`DELETE FROM event_logs WHERE conversation_id = $1`);
