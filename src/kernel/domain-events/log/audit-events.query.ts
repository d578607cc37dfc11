import { PreparedStatement, Statement } from '../../database';

/*
 * By hand because it is written with every change of a request: in one statement that also reads what triggers have noted of the
 * change, which nothing else can see.
 */

/**
 * Adds a row of the audit log: the event ($1), with what the triggers `audit_noted` have noted in the transaction since this was
 * last done, behind the changes that it has itself. Where the target is what was made ($2 says of what type), it is the first row that was. An organization that the
 * transaction has deleted has no rows any more: the event is then of none ($3). Unless it is wanted in any case ($4), only where the
 * transaction has changed something.
 */
export const ADD_AUDIT_EVENT = new PreparedStatement<{ readonly id: string }>(
  'domain-events-audit',
  `WITH noted AS MATERIALIZED (
     SELECT nullif(current_setting('audit.changes', true), '') AS entries, set_config('audit.changes', '', true) AS taken
      WHERE $4::boolean OR pg_current_xact_id_if_assigned() IS NOT NULL
   ), changes AS MATERIALIZED (
     SELECT ('[' || entries || ']')::jsonb AS list FROM noted
   ), made AS (
     SELECT c ->> 'id' AS id FROM changes, jsonb_array_elements(list) WITH ORDINALITY AS l (c, n)
      WHERE $2::text IS NOT NULL AND c -> 'before' = 'null'::jsonb ORDER BY n LIMIT 1
   ), told AS (
     SELECT $1::jsonb
            || jsonb_build_object('changes', coalesce(nullif($1::jsonb -> 'changes', 'null') || list, list, $1::jsonb -> 'changes'))
            || CASE WHEN made.id IS NULL THEN '{}'
                    ELSE jsonb_build_object('target', jsonb_build_object('type', $2::text, 'id', made.id)) END
            || CASE WHEN list @> jsonb_build_array(jsonb_build_object(
                           'table', 'organizations', 'id', $1::jsonb ->> 'org_id', 'after', NULL))
                    THEN '{"org_id": null}'::jsonb ELSE '{}' END AS event
       FROM changes LEFT JOIN made ON true
   )
   INSERT INTO domain_events (org_id, kind, event)
   SELECT coalesce((event ->> 'org_id')::uuid, $3::uuid), event ->> 'kind', event::json FROM told
   RETURNING id`,
);

/** What triggers have noted of a transaction since its last row. */
export const NOTED_CHANGES = new Statement<{ readonly list: unknown }>(
  `SELECT ('[' || nullif(current_setting('audit.changes', true), '') || ']')::jsonb AS list`,
);
