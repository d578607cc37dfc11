import { Statement } from '../../../../kernel/database';

/** Logs that are kept for one organization: the oldest go when there are more. */
const MOST_OF_ORG = 100;

/**
 * Has the log of a sandbox ($1) kept for its organization ($2) for an interval ($3). By hand because the oldest go in the
 * same statement, but for those that somebody else is removing.
 */
export const KEEP_LOG = new Statement(
  `WITH oldest AS (
     SELECT sandbox_id FROM sandbox_kept_logs WHERE org_id = $2
      ORDER BY kept_until DESC, sandbox_id OFFSET ${MOST_OF_ORG - 1} FOR UPDATE SKIP LOCKED
   ), gone AS (DELETE FROM sandbox_kept_logs WHERE sandbox_id IN (SELECT sandbox_id FROM oldest))
   INSERT INTO sandbox_kept_logs (sandbox_id, org_id, kept_until)
   VALUES ($1, $2, now() + $3::interval) ON CONFLICT DO NOTHING`,
);
