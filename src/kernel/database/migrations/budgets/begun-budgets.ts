const AGAIN = `ON CONFLICT (budget_id, user_id, period_start) DO UPDATE
      SET spent_usd = excluded.spent_usd, spent_tokens = excluded.spent_tokens, begun_at = excluded.begun_at`;

/**
 * A budget begins with what its period has had before it: by the counters of usage, and of a conversation by its records. So does one
 * that counts again, or again for one user, after whoever settles in it meanwhile; what is reserved in it stays.
 */
const BEGIN = `
CREATE FUNCTION begin_budget(budget uuid, of_user uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  b budgets;
  start date;
  begun timestamptz;
BEGIN
  SELECT * INTO b FROM budgets WHERE id = budget;
  start := budget_period_start(b.period, now());
  PERFORM FROM budget_spending s
    WHERE s.budget_id = b.id AND s.period_start = start AND (of_user IS NULL OR s.user_id = of_user)
    ORDER BY s.user_id FOR NO KEY UPDATE;
  begun := clock_timestamp();
  IF b.scope = 'conversation' THEN
    WITH RECURSIVE down (id) AS (
      SELECT b.subject::uuid
      UNION
      SELECT c.id FROM down JOIN conversations c ON c.parent_conversation_id = down.id
    ), used AS (
      SELECT conversation_money(c.accumulated_cost) AS usd, c.prompt_tokens::numeric + c.completion_tokens AS tokens
        FROM down JOIN conversations c ON c.id = down.id WHERE b.period = 'total'
      UNION ALL
      SELECT m.cost, m.prompt_tokens::numeric + m.completion_tokens
        FROM down JOIN model_calls m ON m.conversation_id = down.id AND m.at >= start::timestamp AT TIME ZONE 'UTC'
       WHERE b.period <> 'total'
    )
    INSERT INTO budget_spending (budget_id, period_start, spent_usd, spent_tokens, begun_at)
    SELECT b.id, start, coalesce(sum(u.usd), 0), coalesce(sum(u.tokens), 0), begun FROM used u
    ${AGAIN};
  ELSIF b.scope = 'each_user' THEN
    INSERT INTO budget_spending (budget_id, user_id, period_start, spent_usd, spent_tokens, begun_at)
    SELECT b.id, u.user_id, start, greatest(sum(u.usd), 0), greatest(sum(u.tokens), 0), begun FROM (
      SELECT d.value::uuid AS user_id, d.accumulated_cost AS usd, d.prompt_tokens + d.completion_tokens AS tokens
        FROM usage_by_day d
       WHERE d.org_id = b.org_id AND d.dimension = 'user' AND NOT d.is_rest AND d.day >= start
         AND (of_user IS NULL OR d.value = of_user::text)
      UNION ALL
      SELECT d.user_id, d.accumulated_cost, d.prompt_tokens + d.completion_tokens FROM usage_deltas d
       WHERE d.org_id = b.org_id AND d.day >= start AND (of_user IS NULL OR d.user_id = of_user)
    ) u GROUP BY u.user_id ORDER BY u.user_id
    ${AGAIN};
  ELSE
    INSERT INTO budget_spending (budget_id, period_start, spent_usd, spent_tokens, begun_at)
    SELECT b.id, start, greatest(coalesce(sum(u.usd), 0), 0), greatest(coalesce(sum(u.tokens), 0), 0), begun FROM (
      SELECT d.accumulated_cost AS usd, d.prompt_tokens + d.completion_tokens AS tokens FROM usage_by_day d
       WHERE d.org_id = b.org_id AND d.dimension = CASE b.scope WHEN 'organization' THEN 'all' ELSE b.scope END
         AND d.value = left(b.subject, 255) AND NOT d.is_rest AND d.day >= start
      UNION ALL
      SELECT d.accumulated_cost, d.prompt_tokens + d.completion_tokens FROM usage_deltas d
       CROSS JOIN LATERAL usage_places(d.user_id, d.llm_model, d.repository, d.tags) p
       WHERE d.org_id = b.org_id AND d.day >= start AND p.value = left(b.subject, 255)
         AND p.dimension = CASE b.scope WHEN 'organization' THEN 'all' ELSE b.scope END
    ) u
    ${AGAIN};
  END IF;
END
$$`;

/**
 * Before a user's own budget is deleted: that for each user counts for them again. What is spent of both is locked in the order of
 * ids, as by whoever settles calls of before and after the own one was made. Returns the budget, null where there is none.
 */
const BEGIN_IN_PLACE_OF = `
CREATE FUNCTION begin_budget_in_place_of(own uuid) RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE
  o budgets;
  for_each uuid;
BEGIN
  SELECT * INTO o FROM budgets WHERE id = own AND scope = 'user';
  SELECT id INTO for_each FROM budgets
   WHERE org_id = o.org_id AND scope = 'each_user' AND subject = '' AND period = o.period AND enabled;
  IF for_each IS NULL THEN RETURN NULL; END IF;
  PERFORM FROM budget_spending s
    WHERE s.budget_id = own OR s.budget_id = for_each AND s.user_id = o.subject::uuid
    ORDER BY s.budget_id, s.user_id, s.period_start FOR UPDATE;
  PERFORM begin_budget(for_each, o.subject::uuid);
  RETURN for_each;
END
$$`;

/** With what budgets begin, in the order in which the functions are made. */
export const BEGUN_BUDGETS = [BEGIN, BEGIN_IN_PLACE_OF];
