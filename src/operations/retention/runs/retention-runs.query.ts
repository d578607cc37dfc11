import { Statement } from '../../../kernel/database';

/*
 * By hand because a claim is taken by whoever comes first, by the clock of the database.
 */

/** How long a run has an organization without a sign of life; a batch takes a fraction of it. */
export const CLAIM_SECONDS = 60;

const UNTIL = `clock_timestamp() + interval '${CLAIM_SECONDS} seconds'`;

/** Claims an organization ($1) for a run, unless another has it. Returns what was removed since a run was last recorded. */
export const CLAIM = new Statement<{ readonly fence: string; readonly removed: unknown }>(
  `INSERT INTO retention_runs AS r (org_id, fence, claimed_until) VALUES ($1, nextval('job_fences'), ${UNTIL})
   ON CONFLICT (org_id) DO UPDATE SET fence = EXCLUDED.fence, claimed_until = EXCLUDED.claimed_until
     WHERE r.claimed_until IS NULL OR r.claimed_until <= clock_timestamp()
   RETURNING fence, removed`,
);

/** Notes what the run of an organization ($1) has removed so far ($3), while no later one ($2 is its number) has claimed it. */
export const NOTE_REMOVED = new Statement<{ readonly org_id: string }>(
  `UPDATE retention_runs SET removed = $3, claimed_until = ${UNTIL} WHERE org_id = $1 AND fence = $2 RETURNING org_id`,
);

/** Ends the claim of a run. */
export const END_CLAIM = new Statement<{ readonly org_id: string }>(
  `UPDATE retention_runs SET claimed_until = NULL WHERE org_id = $1 AND fence = $2 RETURNING org_id`,
);
