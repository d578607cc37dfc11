/**
 * Of processes that were not seen for a while, unless nobody could be, because the database was away; and what is older than any
 * call, as its process never learned that it was reserved. One that cannot be settled does not keep the others from it.
 */
export const LOSE = `
CREATE FUNCTION lose_model_calls(unseen interval, most integer) RETURNS TABLE (lost integer, crossed jsonb)
LANGUAGE plpgsql AS $$
DECLARE
  ids uuid[];
  usd numeric[];
  tokens bigint[];
  none bigint[];
BEGIN
  lost := 0;
  crossed := '[]';
  IF pg_postmaster_start_time() < clock_timestamp() - unseen THEN
    SELECT array_agg(m.id), array_agg(m.reserved_usd), array_agg(m.reserved_tokens), array_agg(0::bigint)
      INTO ids, usd, tokens, none
      FROM (SELECT * FROM model_calls c
             WHERE c.status = 'reserved' AND (c.at < clock_timestamp() - interval '65 minutes' OR NOT EXISTS (
               SELECT FROM model_call_processes p WHERE p.id = c.process_id AND p.seen_at > clock_timestamp() - unseen))
             ORDER BY c.id LIMIT most FOR NO KEY UPDATE SKIP LOCKED) m;
    FOR n IN 1..coalesce(cardinality(ids), 0) LOOP
      BEGIN
        crossed := crossed || (SELECT coalesce(jsonb_agg(jsonb_build_object('budget_id', s.of_budget, 'user_id', s.of_user)), '[]')
          FROM settle_model_calls(
            ids[n:n], ARRAY['lost'], usd[n:n], tokens[n:n], none[n:n], none[n:n], none[n:n], ARRAY[false],
            ARRAY[NULL::integer], ARRAY[NULL::integer], ARRAY[NULL::integer], true) s);
        lost := lost + 1;
      EXCEPTION WHEN OTHERS THEN
        RAISE WARNING 'The call % of a model could not be settled: %', ids[n], SQLERRM;
      END;
    END LOOP;
    DELETE FROM model_call_processes p WHERE p.seen_at < clock_timestamp() - interval '1 day'
       AND NOT EXISTS (SELECT FROM model_calls m WHERE m.process_id = p.id AND m.status = 'reserved');
  END IF;
  RETURN NEXT;
END
$$`;
