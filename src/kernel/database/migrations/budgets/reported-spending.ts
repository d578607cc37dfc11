/** Of these columns, a metered conversation has what its calls of models add up to. */
const METERED = {
  accumulated_cost: 'cost',
  prompt_tokens: 'prompt',
  completion_tokens: 'completion',
  cache_read_tokens: 'cache_read',
  cache_write_tokens: 'cache_write',
} as const;

const IS_METERED = 'c.metered AND gateway_on';

/**
 * With the gateway off, what is reported counts from where it was when a metered conversation's last report came: what its calls
 * have added since then is in the record, and is no more when it is reported as well.
 */
const amounts = Object.entries(METERED)
  .map(
    ([column, reported], n) => `CASE WHEN ${IS_METERED} THEN c.${column}
      ELSE greatest(c.${column}, coalesce(${reported}::numeric + c.beyond_reports[${n + 1}], ${reported})) END AS ${column}`,
  )
  .join(',\n    ');

const beyond = Object.entries(METERED)
  .map(([column, reported]) => `c.${column}::numeric - ${reported}::numeric`)
  .join(', ');

/** What a record has after a report, from the row `c` as it is. */
const REPORTED = `
  SELECT
    coalesce(new_status, c.execution_status) AS execution_status,
    CASE WHEN new_title IN (c.reported_title, c.forwarded_title) THEN c.title ELSE coalesce(new_title, c.title) END
      AS title,
    coalesce(new_title, c.reported_title) AS reported_title,
    coalesce(new_model, c.llm_model) AS llm_model,
    coalesce(new_agent_kind, c.agent_kind) AS agent_kind,
    ${amounts},
    ${IS_METERED} AS metered,
    -- What begins anew says nothing at first.
    CASE WHEN ${IS_METERED} AND (cost > 0 OR prompt > 0 OR completion > 0) THEN ARRAY[${beyond}]
         ELSE c.beyond_reports END AS beyond_reports,
    greatest(c.reasoning_tokens, reasoning) AS reasoning_tokens,
    greatest(c.context_window, of_context) AS context_window,
    coalesce(nullif(per_turn, 0), c.per_turn_tokens) AS per_turn_tokens`;

/** The columns of a report that clients see. */
const SHOWN = [
  'execution_status',
  'title',
  'llm_model',
  'agent_kind',
  ...Object.keys(METERED),
  'reasoning_tokens',
  'context_window',
  'per_turn_tokens',
];

/** Those that nobody sees. */
const KEPT = ['reported_title', 'metered', 'beyond_reports'];

const columnsOf = (table: string, columns = SHOWN): string =>
  columns.map((column) => `${table}.${column}`).join(', ');

/** As before, but for what a metered conversation has spent. Earlier builds do not say whether the gateway is on. */
const APPLY_REPORT = `
CREATE FUNCTION apply_report(
  conversation uuid, new_status text, new_title text, new_model text, new_agent_kind text, cost double precision,
  prompt bigint, completion bigint, cache_read bigint, cache_write bigint, reasoning bigint, of_context bigint,
  per_turn bigint, has_events boolean, gateway_on boolean DEFAULT true
) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  UPDATE conversations c SET
    (${[...SHOWN, ...KEPT].join(', ')}, updated_at) = (
      SELECT ${columnsOf('r', [...SHOWN, ...KEPT])},
             CASE WHEN has_events OR (${columnsOf('c')}) IS DISTINCT FROM (${columnsOf('r')})
                  THEN greatest(now(), c.updated_at) ELSE c.updated_at END
        FROM (${REPORTED}) r)
   WHERE c.id = conversation AND c.deleted_at IS NULL
     AND (has_events OR EXISTS (
       SELECT 1 FROM (${REPORTED}) r
        WHERE (${columnsOf('c', [...SHOWN, ...KEPT])}) IS DISTINCT FROM (${columnsOf('r', [...SHOWN, ...KEPT])})));
  RETURN FOUND;
END
$$`;

/** As before, but for metered conversations, whose calls are counted one by one; and noted where there are budgets. */
const SPENT = `
CREATE OR REPLACE FUNCTION usage_spent() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  cost numeric := greatest(conversation_money(NEW.accumulated_cost) - conversation_money(OLD.accumulated_cost), 0);
  prompt bigint := greatest(NEW.prompt_tokens - OLD.prompt_tokens, 0);
  completion bigint := greatest(NEW.completion_tokens - OLD.completion_tokens, 0);
BEGIN
  IF NEW.metered THEN RETURN NULL; END IF;
  INSERT INTO usage_deltas VALUES (
    NEW.org_id, conversation_day(now()), NEW.created_by_user_id, NEW.llm_model, NEW.selected_repository, NEW.tags, 0,
    cost, prompt, completion,
    greatest(NEW.cache_read_tokens - OLD.cache_read_tokens, 0),
    greatest(NEW.cache_write_tokens - OLD.cache_write_tokens, 0));
  IF (cost > 0 OR prompt > 0 OR completion > 0) AND EXISTS (SELECT FROM budgets b WHERE b.org_id = NEW.org_id) THEN
    INSERT INTO budget_deltas (org_id, conversation_id, user_id, repository, tags, usd, tokens, at)
    VALUES (NEW.org_id, NEW.id, NEW.created_by_user_id, NEW.selected_repository, NEW.tags, cost, prompt::numeric + completion,
            now());
  END IF;
  RETURN NULL;
END
$$`;

/** A budget counts what is reported after it was made; what there was before it begins with. */
const FOLD = `
CREATE FUNCTION budget_deltas_fold(most integer) RETURNS TABLE (folded integer, crossed jsonb) LANGUAGE plpgsql AS $$
DECLARE
  budget_ids uuid[];
  spenders uuid[];
  starts date[];
  usd numeric[];
  tokens numeric[];
BEGIN
  WITH taken AS (
    DELETE FROM budget_deltas WHERE ctid = ANY (ARRAY(SELECT ctid FROM budget_deltas LIMIT most FOR UPDATE SKIP LOCKED))
    RETURNING *
  ), grown AS (
    SELECT b.id, p.user_id, p.period_start, sum(t.usd) AS usd, sum(t.tokens) AS tokens
      FROM taken t CROSS JOIN LATERAL budgets_of(t.org_id, t.conversation_id, t.user_id, t.repository, t.tags) b
     CROSS JOIN LATERAL (
       SELECT budget_spender(b.scope, t.user_id) AS user_id, budget_period_start(b.period, t.at) AS period_start) p
      LEFT JOIN budget_spending s ON s.budget_id = b.id AND s.user_id = p.user_id AND s.period_start = p.period_start
     WHERE t.at >= greatest(b.created_at, s.begun_at) GROUP BY 1, 2, 3
  )
  SELECT (SELECT count(*) FROM taken), array_agg(g.id), array_agg(g.user_id), array_agg(g.period_start), array_agg(g.usd),
         array_agg(g.tokens)
    INTO folded, budget_ids, spenders, starts, usd, tokens FROM grown g;
  crossed := '[]';
  IF budget_ids IS NOT NULL THEN
    INSERT INTO budget_spending (budget_id, user_id, period_start)
    SELECT p.* FROM unnest(budget_ids, spenders, starts) AS p (budget_id, user_id, period_start)
     WHERE NOT EXISTS (
       SELECT FROM budget_spending s
        WHERE s.budget_id = p.budget_id AND s.user_id = p.user_id AND s.period_start = p.period_start)
     ORDER BY 1, 2, 3 ON CONFLICT DO NOTHING;
    PERFORM FROM budget_spending s
      WHERE (s.budget_id, s.user_id, s.period_start) IN (SELECT * FROM unnest(budget_ids, spenders, starts))
      ORDER BY s.budget_id, s.user_id, s.period_start FOR NO KEY UPDATE;
    WITH counted AS (
      UPDATE budget_spending s SET spent_usd = s.spent_usd + p.usd, spent_tokens = s.spent_tokens + p.tokens
        FROM unnest(budget_ids, spenders, starts, usd, tokens) AS p (budget_id, user_id, period_start, usd, tokens)
       WHERE s.budget_id = p.budget_id AND s.user_id = p.user_id AND s.period_start = p.period_start
      RETURNING s.*
    )
    SELECT coalesce(jsonb_agg(jsonb_build_object('budget_id', u.budget_id, 'user_id', u.user_id)), '[]') INTO crossed
      FROM counted u JOIN budgets b ON b.id = u.budget_id WHERE is_crossed(b, u);
  END IF;
  RETURN NEXT;
END
$$`;

/** What budgets count of what agent servers report, and what these change no more. */
export const REPORTED_SPENDING = [
  `DROP FUNCTION apply_report(uuid, text, text, text, text, double precision, bigint, bigint, bigint, bigint, bigint,
                              bigint, bigint, boolean)`,
  APPLY_REPORT,
  `COMMENT ON FUNCTION apply_report
    IS 'writes what an agent server reports of a conversation; true if anything is written'`,
  SPENT,
  FOLD,
];
