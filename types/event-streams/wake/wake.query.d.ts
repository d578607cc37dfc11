import { PreparedStatement, Statement } from '../../database';
/** The channel that says which logs have something new. */
export declare const NEWS_CHANNEL = "event_stream_news";
/** The channel on which replicas with open streams say so. */
export declare const READERS_CHANNEL = "event_stream_readers";
/** The channel of events that are not stored. */
export declare const TRANSIENT_CHANNEL = "event_stream_transient";
/** Longer payloads are no notifications (7,999 bytes). */
export declare const MAX_PAYLOAD_BYTES = 7900;
/** Tells ids of logs ($1) when the transaction is committed. */
export declare const TELL_NEWS: Statement<object>;
/** Tells that a replica ($1) has open streams. */
export declare const TELL_READERS: PreparedStatement<import("pg").QueryResultRow>;
/** Tells events that are not stored ($1), in their order. */
export declare const TELL_TRANSIENT: PreparedStatement<import("pg").QueryResultRow>;
