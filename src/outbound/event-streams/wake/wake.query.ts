import { PreparedStatement, Statement } from '../../../kernel/database';

/* By hand because they tell, and read nothing. */

/** The channel that says which logs have something new. */
export const NEWS_CHANNEL = 'event_stream_news';

/** The channel on which replicas with open streams say so. */
export const READERS_CHANNEL = 'event_stream_readers';

/** The channel of events that are not stored. */
export const TRANSIENT_CHANNEL = 'event_stream_transient';

/** The channel on which replicas say whom they are about to hear. */
export const LISTENERS_CHANNEL = 'event_stream_listeners';

/** Longer payloads are no notifications (7,999 bytes). */
export const MAX_PAYLOAD_BYTES = 7_900;

/** Tells ids of logs ($1) when the transaction is committed. */
export const NOTIFY_NEWS = new Statement(`SELECT pg_notify('${NEWS_CHANNEL}', $1)`);

/** Tells that a replica ($1) has open streams. */
export const TELL_READERS = new PreparedStatement(
  'event-streams-readers',
  `SELECT pg_notify('${READERS_CHANNEL}', $1)`,
);

/** Tells events that are not stored ($1), in their order. */
export const NOTIFY_TRANSIENT = new PreparedStatement(
  'event-streams-transient',
  `SELECT pg_notify('${TRANSIENT_CHANNEL}', told) FROM unnest($1::text[]) WITH ORDINALITY AS t (told, n) ORDER BY n`,
);

/** Tells who can be heard, or who listens ($1), when the transaction is committed. */
export const TELL_LISTENERS = new Statement(
  `SELECT pg_notify('${LISTENERS_CHANNEL}', told) FROM unnest($1::text[]) AS told`,
);
