import { PreparedStatement } from '../../database';

/** The channel on which replicas tell one another of commits. */
export const WRITTEN_CHANNEL = 'domain_events_written';

/** By hand because it tells and reads nothing. */
export const TELL_WRITTEN = new PreparedStatement(
  'domain-events-notify',
  `SELECT pg_notify('${WRITTEN_CHANNEL}', '')`,
);
