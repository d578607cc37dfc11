import { PreparedStatement, Statement } from '../../../kernel/database';

/* By hand because they only notify and read nothing. */

/** The channel that says which logs have something new. */
export const NEWS_CHANNEL = 'event_stream_news';

/** The channel on which replicas announce that they have open streams. */
export const READERS_CHANNEL = 'event_stream_readers';

/** The channel of events that are not stored. */
export const TRANSIENT_CHANNEL = 'event_stream_transient';

/** The channel on which replicas say which conversations they are about to listen to. */
export const LISTENERS_CHANNEL = 'event_stream_listeners';

/** PostgreSQL refuses longer payloads (7,999 bytes). */
export const MAX_PAYLOAD_BYTES = 7_900;

/** Notifies replicas of the logs with something new ($1) when the transaction is committed. */
export const NOTIFY_NEWS = new Statement(`SELECT pg_notify('${NEWS_CHANNEL}', $1)`);

/** Announces that a replica ($1) has open streams. */
export const NOTIFY_READERS = new PreparedStatement(
  'event-streams-readers',
  `SELECT pg_notify('${READERS_CHANNEL}', $1)`,
);

/** Sends events that are not stored ($1), in order. */
export const NOTIFY_TRANSIENT = new PreparedStatement(
  'event-streams-transient',
  `SELECT pg_notify('${TRANSIENT_CHANNEL}', payload) FROM unnest($1::text[]) WITH ORDINALITY AS t (payload, n) ORDER BY n`,
);

/** Announces which agents can be reached, or who listens ($1), when the transaction is committed. */
export const NOTIFY_LISTENERS = new Statement(
  `SELECT pg_notify('${LISTENERS_CHANNEL}', payload) FROM unnest($1::text[]) AS payload`,
);
