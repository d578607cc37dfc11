import { queryRows, type SqlRunner } from '../../../kernel/database';

/** Refusals of one organization in one hour that are alike. */
export interface RefusalCount {
  readonly orgId: string;
  readonly code: string;
  readonly model: string;
  readonly count: number;
  readonly at: Date;
}

/** Stands for models for which there is no row any more. */
export const OTHER_MODELS = '*';

/** Names of models come from anybody: so many have rows of their own in an hour. */
const MOST_ROWS = 200;

const MOST_SHOWN = 1_000;

/** By hand: rows are added to, and those of too many models are one. In order of the keys, which is that of the locks. */
export async function addRefusals(database: SqlRunner, counts: readonly RefusalCount[]): Promise<void> {
  await queryRows(
    database,
    `WITH given AS (
       SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::bigint[], $5::timestamptz[])
         AS t (org_id, code, model, count, at)
     ), named AS (
       SELECT g.org_id, date_trunc('hour', g.at, 'UTC') AS hour, g.code, g.count, g.at,
              CASE WHEN EXISTS (SELECT 1 FROM model_refusals r
                                 WHERE r.org_id = g.org_id AND r.hour = date_trunc('hour', g.at, 'UTC')
                                   AND r.code = g.code AND r.model = g.model)
                     OR row_number() OVER (PARTITION BY g.org_id)
                        + (SELECT count(*) FROM model_refusals r
                            WHERE r.org_id = g.org_id AND r.hour = date_trunc('hour', g.at, 'UTC')) <= ${MOST_ROWS}
                   THEN g.model ELSE '${OTHER_MODELS}' END AS model
         FROM given g
     )
     INSERT INTO model_refusals (org_id, hour, code, model, count, last_at)
     SELECT n.org_id, n.hour, n.code, n.model, sum(n.count), max(n.at) FROM named n
      GROUP BY n.org_id, n.hour, n.code, n.model ORDER BY 1, 2, 3, 4
     ON CONFLICT (org_id, hour, code, model) DO UPDATE
        SET count = model_refusals.count + excluded.count, last_at = greatest(model_refusals.last_at, excluded.last_at)
     RETURNING org_id`,
    [
      counts.map(({ orgId }) => orgId),
      counts.map(({ code }) => code),
      counts.map(({ model }) => model),
      counts.map(({ count }) => count),
      counts.map(({ at }) => at),
    ],
  );
}

/** By hand: sums of an organization since a time, the most frequent first. */
export function selectRefusals(
  database: SqlRunner,
  orgId: string,
  since: Date,
): Promise<{ code: string; model: string; count: string; last_at: Date }[]> {
  return queryRows(
    database,
    `SELECT r.code, r.model, sum(r.count)::text AS count, max(r.last_at) AS last_at FROM model_refusals r
      WHERE r.org_id = $1 AND r.hour >= date_trunc('hour', $2::timestamptz, 'UTC') AND r.last_at >= $2
      GROUP BY r.code, r.model ORDER BY sum(r.count) DESC, r.code, r.model LIMIT ${MOST_SHOWN}`,
    [orgId, since],
  );
}

/** By hand: there is no entity. A few at a time, so that nobody waits for it. */
export async function deleteOldRefusals(database: SqlRunner, before: Date): Promise<void> {
  await queryRows(
    database,
    `DELETE FROM model_refusals r USING (
       SELECT org_id, hour, code, model FROM model_refusals WHERE hour < $1 LIMIT 1000 FOR UPDATE SKIP LOCKED
     ) old
     WHERE r.org_id = old.org_id AND r.hour = old.hour AND r.code = old.code AND r.model = old.model
     RETURNING r.org_id`,
    [before],
  );
}
