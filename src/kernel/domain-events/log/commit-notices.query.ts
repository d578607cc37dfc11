import { PreparedStatement } from '../../database';

/** The channel on which replicas notify one another of commits. */
export const WRITTEN_CHANNEL = 'domain_events_written';

/** The payload of commits that somebody waits for, whatever the others know of. */
export const URGENT = 'urgent';

/** By hand because it notifies and reads nothing: a payload ($1). */
export const TELL_WRITTEN = new PreparedStatement(
  'domain-events-notify',
  `SELECT pg_notify('${WRITTEN_CHANNEL}', $1)`,
);
