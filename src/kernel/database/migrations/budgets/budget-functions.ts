import { BEGUN_BUDGETS } from './begun-budgets';
import { LOSE } from './lost-calls';

/**
 * A session plans the statements of a function once and keeps the plans, maybe from when the ledger was small or empty: without this
 * they would go on to read all of it for each call. With other plans for each number of calls, planning would cost more than the calls.
 */
const PLANNED_ONCE = 'SET enable_seqscan = off SET jit = off SET plan_cache_mode = force_generic_plan';

const PERIOD_START = `
CREATE FUNCTION budget_period_start(period text, at timestamptz) RETURNS date LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT CASE period WHEN 'day' THEN (at AT TIME ZONE 'UTC')::date
                   WHEN 'month' THEN date_trunc('month', at AT TIME ZONE 'UTC')::date
                   ELSE DATE '1970-01-01' END
$$`;

/** Of one for each user, each user's spending is a row of its own. */
const SPENDER = `
CREATE FUNCTION budget_spender(scope text, creator uuid) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT CASE scope WHEN 'each_user' THEN creator ELSE '00000000-0000-0000-0000-000000000000' END
$$`;

/** Whether a budget is that of a user: their own takes the place of that for each user, as long as there is one. */
const IS_OF_USER = `
CREATE FUNCTION is_budget_of(of_user uuid, org uuid, of_scope text, of_period text) RETURNS boolean LANGUAGE sql STABLE AS $$
SELECT of_scope <> 'each_user' OR NOT EXISTS (
  SELECT FROM budgets own
   WHERE own.org_id = org AND own.scope = 'user' AND own.subject = of_user::text AND own.period = of_period)
$$`;

/** A conversation counts in the budgets of those above it, too: an agent does not escape by what it delegates. */
const BUDGETS_OF = `
CREATE FUNCTION budgets_of(org uuid, conversation uuid, creator uuid, of_repository text, of_tags jsonb)
RETURNS SETOF budgets LANGUAGE sql STABLE AS $$
SELECT b.* FROM (
  SELECT 'organization' AS scope, '' AS subject
  UNION ALL SELECT 'each_user', ''
  UNION ALL SELECT 'user', creator::text
  UNION ALL SELECT 'repository', of_repository WHERE of_repository IS NOT NULL
  UNION ALL (SELECT DISTINCT 'tag', t.key || ':' || coalesce(t.value, 'null')
               FROM jsonb_each_text(CASE jsonb_typeof(of_tags) WHEN 'object' THEN of_tags ELSE '{}' END) t)
  UNION ALL SELECT 'conversation', up.id::text FROM conversations_above(conversation) AS up (id)
) s JOIN budgets b ON b.org_id = org AND b.scope = s.scope AND b.subject = s.subject AND b.enabled
 WHERE is_budget_of(creator, org, b.scope, b.period)
$$`;

const CONVERSATIONS_ABOVE = `
CREATE FUNCTION conversations_above(conversation uuid) RETURNS SETOF uuid LANGUAGE sql STABLE AS $$
WITH RECURSIVE up (id) AS (
  SELECT conversation
  UNION
  SELECT c.parent_conversation_id FROM up JOIN conversations c ON c.id = up.id
   WHERE c.parent_conversation_id IS NOT NULL
)
SELECT id FROM up
$$`;

/**
 * Rows of the ledger first, which say in which budgets each call is. What is spent of these is locked in the order of ids, as by
 * whoever else changes it; where all calls have room together, one statement reserves it, else one call after the other. Of a
 * call that is refused, nothing is left. Where others wait behind the statement, no lock is waited for longer than a moment.
 */
const RESERVE = `
CREATE FUNCTION reserve_model_calls(
  ids uuid[], of_conversations uuid[], models text[], providers text[], most_usd numeric[], most_tokens bigint[],
  process uuid, makes_way boolean
) RETURNS TABLE (call integer, refused_by uuid, of_user uuid, is_spent boolean) LANGUAGE plpgsql
${PLANNED_ONCE} AS $$
DECLARE
  -- As the ledger keeps it: what is reserved on a day is settled on that day.
  began timestamptz(3) := clock_timestamp();
  added integer[];
  are_metered boolean;
  held integer;
  pair_calls integer[];
  pair_budgets uuid[];
  pair_users uuid[];
  pair_starts date[];
  refused uuid[];
BEGIN
  IF makes_way THEN PERFORM set_config('lock_timeout', '250ms', true); END IF;
  WITH found AS MATERIALIZED (
    SELECT q.*, c.org_id, c.created_by_user_id, c.selected_repository, c.metered,
           CASE WHEN octet_length(c.tags::text) <= 4096 THEN c.tags ELSE '{}' END AS tags,
           CASE WHEN EXISTS (SELECT FROM budgets b WHERE b.org_id = c.org_id) THEN
             ARRAY(SELECT b.id FROM budgets_of(c.org_id, c.id, c.created_by_user_id, c.selected_repository, c.tags) b)
           ELSE '{}' END AS budget_ids
      FROM unnest(ids, of_conversations, models, providers, most_usd, most_tokens) WITH ORDINALITY
           AS q (id, conversation_id, model, provider, usd, tokens, n)
      JOIN conversations c ON c.id = q.conversation_id AND c.deleted_at IS NULL AND c.start_state <> 'failed'
      JOIN sandboxes s ON s.id = c.sandbox_id AND s.status = 'RUNNING' AND s.stopping IS NULL
  ), rows AS (
    INSERT INTO model_calls (id, org_id, conversation_id, user_id, repository, tags, model, provider, status,
                             reserved_usd, reserved_tokens, budget_ids, process_id, at)
    SELECT f.id, f.org_id, f.conversation_id, f.created_by_user_id, f.selected_repository, f.tags, f.model, f.provider,
           'reserved', f.usd, f.tokens, f.budget_ids, process, began
      FROM found f
  ), pairs AS (
    SELECT f.n, b.id, budget_spender(b.scope, f.created_by_user_id) AS user_id,
           budget_period_start(b.period, began) AS period_start
      FROM found f CROSS JOIN LATERAL unnest(f.budget_ids) AS i (id) JOIN budgets b ON b.id = i.id
  )
  SELECT (SELECT array_agg(n) FROM found), (SELECT bool_and(metered) FROM found), array_agg(n), array_agg(id),
         array_agg(user_id), array_agg(period_start)
    INTO added, are_metered, pair_calls, pair_budgets, pair_users, pair_starts FROM pairs;

  FOR n IN 1..cardinality(ids) LOOP
    IF added IS NULL OR n <> ALL (added) THEN
      call := n; refused_by := NULL; of_user := NULL; is_spent := NULL;
      RETURN NEXT;
    END IF;
  END LOOP;
  IF added IS NULL THEN RETURN; END IF;

  IF pair_calls IS NOT NULL THEN
    INSERT INTO budget_spending (budget_id, user_id, period_start)
    SELECT DISTINCT p.* FROM unnest(pair_budgets, pair_users, pair_starts) AS p (budget_id, user_id, period_start)
     WHERE NOT EXISTS (
       SELECT FROM budget_spending s
        WHERE s.budget_id = p.budget_id AND s.user_id = p.user_id AND s.period_start = p.period_start)
     ORDER BY 1, 2, 3 ON CONFLICT DO NOTHING;
    PERFORM FROM budget_spending s
      WHERE (s.budget_id, s.user_id, s.period_start) IN (SELECT * FROM unnest(pair_budgets, pair_users, pair_starts))
      ORDER BY s.budget_id, s.user_id, s.period_start FOR NO KEY UPDATE;
    GET DIAGNOSTICS held = ROW_COUNT;
    -- Whoever deleted a budget meanwhile may have another one count in its place.
    IF held <> (SELECT count(*) FROM (SELECT DISTINCT * FROM unnest(pair_budgets, pair_users, pair_starts)) p) THEN
      RAISE 'A budget of these calls has been deleted' USING ERRCODE = 'foreign_key_violation';
    END IF;
    IF NOT EXISTS (
      SELECT FROM (SELECT p.budget_id, p.user_id, p.period_start, sum(most_usd[p.n]) AS usd, sum(most_tokens[p.n]) AS tokens
                     FROM unnest(pair_calls, pair_budgets, pair_users, pair_starts) AS p (n, budget_id, user_id, period_start)
                    GROUP BY 1, 2, 3) w
        JOIN budgets b ON b.id = w.budget_id
        JOIN budget_spending s
          ON s.budget_id = w.budget_id AND s.user_id = w.user_id AND s.period_start = w.period_start
       WHERE s.spent_usd + s.reserved_usd + w.usd > b.limit_usd
          OR s.spent_tokens + s.reserved_tokens + w.tokens > b.limit_tokens
    ) THEN
      UPDATE budget_spending s SET reserved_usd = s.reserved_usd + w.usd, reserved_tokens = s.reserved_tokens + w.tokens
        FROM (SELECT p.budget_id, p.user_id, p.period_start, sum(most_usd[p.n]) AS usd, sum(most_tokens[p.n]) AS tokens
                FROM unnest(pair_calls, pair_budgets, pair_users, pair_starts) AS p (n, budget_id, user_id, period_start)
               GROUP BY 1, 2, 3) w
       WHERE s.budget_id = w.budget_id AND s.user_id = w.user_id AND s.period_start = w.period_start;
    ELSE
      FOREACH call IN ARRAY added LOOP
        SELECT b.id, s.user_id, s.spent_usd + most_usd[call] > b.limit_usd IS TRUE
               OR s.spent_tokens + most_tokens[call] > b.limit_tokens IS TRUE
          INTO refused_by, of_user, is_spent
          FROM unnest(pair_calls, pair_budgets, pair_users, pair_starts) AS p (n, budget_id, user_id, period_start)
          JOIN budgets b ON b.id = p.budget_id
          JOIN budget_spending s
            ON s.budget_id = p.budget_id AND s.user_id = p.user_id AND s.period_start = p.period_start
         WHERE p.n = call
           AND (s.spent_usd + s.reserved_usd + most_usd[call] > b.limit_usd
                OR s.spent_tokens + s.reserved_tokens + most_tokens[call] > b.limit_tokens)
         ORDER BY 3 DESC, array_position(ARRAY['total', 'month', 'day'], b.period), b.id LIMIT 1;
        IF FOUND THEN
          refused := refused || ids[call];
          RETURN NEXT;
        ELSE
          UPDATE budget_spending s
             SET reserved_usd = s.reserved_usd + most_usd[call], reserved_tokens = s.reserved_tokens + most_tokens[call]
            FROM unnest(pair_calls, pair_budgets, pair_users, pair_starts) AS p (n, budget_id, user_id, period_start)
           WHERE p.n = call AND s.budget_id = p.budget_id AND s.user_id = p.user_id AND s.period_start = p.period_start;
        END IF;
      END LOOP;
      DELETE FROM model_calls m WHERE m.id = ANY (refused);
    END IF;
  END IF;

  IF NOT are_metered THEN
    PERFORM FROM conversations c
      WHERE NOT c.metered AND c.id IN (SELECT m.conversation_id FROM model_calls m WHERE m.id = ANY (ids))
      ORDER BY c.id FOR NO KEY UPDATE;
    UPDATE conversations c SET metered = true
     WHERE NOT c.metered AND c.id IN (SELECT m.conversation_id FROM model_calls m WHERE m.id = ANY (ids));
  END IF;
END
$$`;

/**
 * Locks rows of the ledger, of budgets and of conversations, each in the order of ids, before it changes them. What was counted
 * as lost is replaced by what came of it after all, and a budget that only this had exhausted has room again. A conversation is
 * metered again by it, should the gateway be off, or nothing would keep its record's growth from counting twice. Of a call that cost
 * nothing, the repository and the tags go: nothing is counted by them, and as many such calls can be made as one likes.
 */
const SETTLE = `
CREATE FUNCTION settle_model_calls(
  ids uuid[], statuses text[], costs numeric[], prompts bigint[], completions bigint[], cache_reads bigint[],
  cache_writes bigint[], are_reported boolean[], http_statuses integer[], latencies integer[], first_bytes integer[],
  makes_way boolean
) RETURNS TABLE (of_budget uuid, of_user uuid) LANGUAGE plpgsql
${PLANNED_ONCE} AS $$
DECLARE
  taken uuid[];
BEGIN
  IF makes_way THEN PERFORM set_config('lock_timeout', '250ms', true); END IF;
  SELECT array_agg(id) INTO taken FROM (
    SELECT m.id FROM model_calls m JOIN unnest(ids, statuses) AS q (id, status) ON q.id = m.id
     WHERE m.status = 'reserved' OR (m.status = 'lost' AND q.status <> 'lost')
     ORDER BY m.id FOR NO KEY UPDATE OF m) locked;
  IF taken IS NULL THEN RETURN; END IF;
  PERFORM FROM budget_spending s
    WHERE (s.budget_id, s.user_id, s.period_start) IN (
      SELECT b.id, budget_spender(b.scope, m.user_id), budget_period_start(b.period, m.at)
        FROM model_calls m CROSS JOIN LATERAL unnest(m.budget_ids) AS i (id) JOIN budgets b ON b.id = i.id
       WHERE m.id = ANY (taken))
    ORDER BY s.budget_id, s.user_id, s.period_start FOR NO KEY UPDATE;
  PERFORM FROM conversations c
    WHERE c.id IN (SELECT m.conversation_id FROM model_calls m WHERE m.id = ANY (taken))
    ORDER BY c.id FOR NO KEY UPDATE;

  RETURN QUERY
  WITH growth AS MATERIALIZED (
    SELECT m.id, m.org_id, m.conversation_id, m.user_id, m.repository, m.tags, m.model, m.at, m.budget_ids,
           m.status = 'lost' AS was_lost, CASE m.status WHEN 'reserved' THEN m.reserved_usd ELSE 0 END AS held_usd,
           CASE m.status WHEN 'reserved' THEN m.reserved_tokens ELSE 0 END AS held_tokens,
           q.cost - m.cost AS cost, q.prompt - m.prompt_tokens AS prompt, q.completion - m.completion_tokens AS completion,
           q.cache_read - m.cache_read_tokens AS cache_read, q.cache_write - m.cache_write_tokens AS cache_write
      FROM model_calls m
      JOIN unnest(ids, costs, prompts, completions, cache_reads, cache_writes)
           AS q (id, cost, prompt, completion, cache_read, cache_write) ON q.id = m.id
     WHERE m.id = ANY (taken)
  ), written AS (
    UPDATE model_calls m
       SET status = q.status, cost = q.cost, prompt_tokens = q.prompt, completion_tokens = q.completion,
           cache_read_tokens = q.cache_read, cache_write_tokens = q.cache_write, usage_reported = q.is_reported,
           http_status = q.http_status, latency_ms = q.latency, first_byte_ms = q.first_byte,
           settled_at = clock_timestamp(),
           repository = CASE WHEN q.cost <> 0 OR q.prompt <> 0 OR q.completion <> 0 THEN m.repository END,
           tags = CASE WHEN q.cost <> 0 OR q.prompt <> 0 OR q.completion <> 0 THEN m.tags ELSE '{}' END
      FROM unnest(ids, statuses, costs, prompts, completions, cache_reads, cache_writes, are_reported, http_statuses,
                  latencies, first_bytes)
           AS q (id, status, cost, prompt, completion, cache_read, cache_write, is_reported, http_status, latency, first_byte)
     WHERE m.id = q.id AND m.id = ANY (taken)
  ), used AS (
    INSERT INTO usage_deltas
    SELECT org_id, conversation_day(at), user_id, model, repository, tags, 0, sum(cost), sum(prompt), sum(completion),
           sum(cache_read), sum(cache_write)
      FROM growth WHERE cost <> 0 OR prompt <> 0 OR completion <> 0 OR cache_read <> 0 OR cache_write <> 0
     GROUP BY 1, 2, 3, 4, 5, 6
  ), of_conversations AS (
    UPDATE conversations c
       SET metered = true, accumulated_cost = greatest((conversation_money(c.accumulated_cost) + g.cost)::double precision, 0),
           prompt_tokens = greatest(c.prompt_tokens + g.prompt, 0),
           completion_tokens = greatest(c.completion_tokens + g.completion, 0),
           cache_read_tokens = greatest(c.cache_read_tokens + g.cache_read, 0),
           cache_write_tokens = greatest(c.cache_write_tokens + g.cache_write, 0),
           updated_at = greatest(now(), c.updated_at)
      FROM (SELECT conversation_id, sum(cost) AS cost, sum(prompt)::bigint AS prompt,
                   sum(completion)::bigint AS completion, sum(cache_read)::bigint AS cache_read,
                   sum(cache_write)::bigint AS cache_write
              FROM growth WHERE cost <> 0 OR prompt <> 0 OR completion <> 0 OR cache_read <> 0 OR cache_write <> 0
             GROUP BY 1) g
     WHERE c.id = g.conversation_id
  ), counted AS (
    UPDATE budget_spending s
       SET spent_usd = s.spent_usd + g.cost, spent_tokens = s.spent_tokens + g.tokens,
           reserved_usd = s.reserved_usd - g.held_usd, reserved_tokens = s.reserved_tokens - g.held_tokens,
           exhausted_at = CASE WHEN g.was_lost AND (s.spent_usd + g.cost >= g.limit_usd
                                                    OR s.spent_tokens + g.tokens >= g.limit_tokens) IS NOT TRUE
                               THEN NULL ELSE s.exhausted_at END
      FROM (SELECT b.id, b.limit_usd, b.limit_tokens, budget_spender(b.scope, g.user_id) AS user_id,
                   budget_period_start(b.period, g.at) AS period_start,
                   sum(g.cost) AS cost, sum(g.prompt + g.completion) AS tokens, bool_or(g.was_lost) AS was_lost,
                   sum(g.held_usd) AS held_usd, sum(g.held_tokens) AS held_tokens
              FROM growth g CROSS JOIN LATERAL unnest(g.budget_ids) AS i (id) JOIN budgets b ON b.id = i.id
             GROUP BY b.id, b.limit_usd, b.limit_tokens, 4, 5) g
     WHERE s.budget_id = g.id AND s.user_id = g.user_id AND s.period_start = g.period_start
    RETURNING s.*
  )
  SELECT u.budget_id, u.user_id FROM counted u JOIN budgets b ON b.id = u.budget_id WHERE is_crossed(b, u);
END
$$`;

/** A limit that has been reached without its mark. */
const IS_CROSSED = `
CREATE FUNCTION is_crossed(b budgets, s budget_spending) RETURNS boolean LANGUAGE sql STABLE AS $$
SELECT (b.enabled AND (
        s.exhausted_at IS NULL AND (s.spent_usd >= b.limit_usd OR s.spent_tokens >= b.limit_tokens)
        OR s.soft_reached_at IS NULL AND (s.spent_usd >= b.limit_usd * b.soft_percent / 100
                                          OR s.spent_tokens >= b.limit_tokens::numeric * b.soft_percent / 100))
        AND is_budget_of(s.user_id, b.org_id, b.scope, b.period)) IS TRUE
$$`;

/** Functions of budgets and the ledger, in the order in which they are made. */
export const BUDGET_FUNCTIONS = [
  PERIOD_START,
  SPENDER,
  CONVERSATIONS_ABOVE,
  IS_OF_USER,
  BUDGETS_OF,
  IS_CROSSED,
  RESERVE,
  SETTLE,
  LOSE,
  ...BEGUN_BUDGETS,
];
