import { PreparedStatement } from '../../database';
/** The channel on which replicas tell one another of commits. */
export declare const WRITTEN_CHANNEL = "domain_events_written";
/** By hand because it tells and reads nothing. */
export declare const TELL_WRITTEN: PreparedStatement<import("pg").QueryResultRow>;
