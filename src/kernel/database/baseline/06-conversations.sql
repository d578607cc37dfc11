CREATE TABLE conversations (
  id uuid PRIMARY KEY,
  org_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  created_by_user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  parent_conversation_id uuid,
  sandbox_id uuid,
  own_sandbox boolean NOT NULL DEFAULT false,
  start_state text NOT NULL,
  title text,
  llm_model text,
  agent_kind text NOT NULL DEFAULT 'openhands',
  execution_status text,
  selected_repository text,
  selected_branch text,
  git_provider text,
  trigger text,
  pr_number bigint[] NOT NULL DEFAULT '{}'::bigint[],
  pr_merged boolean,
  tags jsonb NOT NULL DEFAULT '{}'::jsonb,
  accumulated_cost double precision NOT NULL DEFAULT 0,
  prompt_tokens bigint NOT NULL DEFAULT 0,
  completion_tokens bigint NOT NULL DEFAULT 0,
  cache_read_tokens bigint NOT NULL DEFAULT 0,
  cache_write_tokens bigint NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  deleted_at timestamptz(3),
  reported_title text,
  forwarded_title text,
  sort_title text COLLATE "C",
  sort_model text COLLATE "C",
  reasoning_tokens bigint NOT NULL DEFAULT 0,
  context_window bigint NOT NULL DEFAULT 0,
  per_turn_tokens bigint NOT NULL DEFAULT 0,
  max_budget_per_task double precision,
  launched_profile_id uuid,
  launched_profile_revision integer,
  started_repository text,
  CONSTRAINT agent_kind_length CHECK (char_length(agent_kind) <= 100),
  CONSTRAINT conversations_start_state CHECK (start_state IN ('starting', 'ready', 'failed')),
  CONSTRAINT execution_status_known
    CHECK (execution_status IN ('idle', 'running', 'paused', 'finished', 'error', 'stuck')),
  CONSTRAINT forwarded_title_length CHECK (char_length(forwarded_title) <= 1000),
  CONSTRAINT git_provider_known
    CHECK (git_provider IN (
      'github', 'gitlab', 'bitbucket', 'bitbucket_data_center', 'forgejo', 'azure_devops',
      'enterprise_sso')),
  CONSTRAINT llm_model_length CHECK (char_length(llm_model) <= 255),
  CONSTRAINT pr_number_length CHECK (cardinality(pr_number) <= 1000),
  CONSTRAINT selected_branch_length CHECK (char_length(selected_branch) <= 255),
  CONSTRAINT selected_repository_length CHECK (char_length(selected_repository) <= 2048),
  CONSTRAINT sort_model_length CHECK (char_length(sort_model) <= 255),
  CONSTRAINT sort_title_length CHECK (char_length(sort_title) <= 255),
  CONSTRAINT started_repository_length CHECK (char_length(started_repository) <= 2048),
  CONSTRAINT tags_bytes CHECK (octet_length(tags::text) <= 131072),
  CONSTRAINT title_length CHECK (char_length(title) <= 1000),
  CONSTRAINT reported_title_length CHECK (char_length(reported_title) <= 1000),
  CONSTRAINT trigger_known
    CHECK (trigger IN (
      'resolver', 'gui', 'suggested_task', 'openhands_api', 'slack', 'microagent_management', 'jira',
      'jira_dc', 'linear', 'bitbucket', 'automation'))
) WITH (
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02
);
CREATE INDEX conversations_org_cost ON conversations (org_id, accumulated_cost, id)
  INCLUDE (execution_status, parent_conversation_id, created_at)
  WHERE deleted_at IS NULL;
CREATE INDEX conversations_org_created ON conversations (org_id, created_at, id)
  INCLUDE (execution_status, parent_conversation_id)
  WHERE deleted_at IS NULL;
CREATE INDEX conversations_org_model ON conversations (org_id, sort_model, id)
  INCLUDE (execution_status, parent_conversation_id, created_at)
  WHERE deleted_at IS NULL;
CREATE INDEX conversations_org_title ON conversations (org_id, sort_title, id)
  INCLUDE (execution_status, parent_conversation_id, created_at)
  WHERE deleted_at IS NULL;
CREATE INDEX conversations_org_updated ON conversations (org_id, updated_at, id)
  INCLUDE (execution_status, parent_conversation_id, created_at)
  WHERE deleted_at IS NULL;
CREATE INDEX conversations_parent ON conversations (parent_conversation_id)
  WHERE parent_conversation_id IS NOT NULL;
CREATE INDEX conversations_sandbox ON conversations (sandbox_id);
CREATE INDEX conversations_tags ON conversations
  USING gin (tags jsonb_path_ops) WITH (gin_pending_list_limit = 256)
  WHERE deleted_at IS NULL;
CREATE INDEX conversations_title_trigrams ON conversations
  USING gin (search_text(title) gin_trgm_ops) WITH (gin_pending_list_limit = 256)
  WHERE deleted_at IS NULL;
CREATE INDEX conversations_user_created ON conversations (
  created_by_user_id, org_id, created_at DESC, id DESC)
  WHERE deleted_at IS NULL;
CREATE STATISTICS conversations_search_title ON search_text(title) FROM conversations;
ALTER STATISTICS conversations_search_title SET STATISTICS 1000;
COMMENT ON COLUMN conversations.own_sandbox IS 'the sandbox was made for this conversation and goes with it';
COMMENT ON COLUMN conversations.deleted_at
  IS 'deleted ones are kept so that late calls of an agent server do not bring them back';
COMMENT ON COLUMN conversations.reported_title
  IS 'the last title the agent server reported: reporting it again changes nothing';
COMMENT ON COLUMN conversations.forwarded_title
  IS 'the last title the agent server was given: its echo changes nothing';
COMMENT ON COLUMN conversations.sort_title IS 'the beginning of the title in lower case, kept by a trigger';
COMMENT ON COLUMN conversations.sort_model IS 'the beginning of the model, kept by a trigger';
COMMENT ON COLUMN conversations.started_repository
  IS 'the one it started with, empty for none, where selected_repository was changed since; kept by a trigger';

CREATE TABLE conversation_usage (
  org_id uuid NOT NULL,
  llm_model text NOT NULL,
  conversations bigint NOT NULL,
  accumulated_cost numeric NOT NULL,
  prompt_tokens numeric NOT NULL,
  completion_tokens numeric NOT NULL,
  cache_read_tokens numeric NOT NULL,
  cache_write_tokens numeric NOT NULL,
  PRIMARY KEY (org_id, llm_model)
);
COMMENT ON COLUMN conversation_usage.llm_model IS 'its first 255 characters; empty for none';

CREATE TABLE conversation_removals (
  conversation_id uuid PRIMARY KEY,
  sandbox_id uuid NOT NULL,
  driver text,
  base_url text,
  start_task_id uuid,
  settles_at timestamptz(3) NOT NULL,
  CONSTRAINT base_url_length CHECK (char_length(base_url) <= 2048),
  CONSTRAINT driver_length CHECK (char_length(driver) <= 100)
);
CREATE INDEX conversation_removals_sandbox_id ON conversation_removals (sandbox_id);
COMMENT ON COLUMN conversation_removals.driver
  IS 'the driver of the server that the sandbox shares with others';
COMMENT ON COLUMN conversation_removals.base_url
  IS 'where that server is, also when the sandbox is long gone';
COMMENT ON COLUMN conversation_removals.start_task_id
  IS 'the start that may have made it: what carries another tag is not ours';

CREATE TABLE start_tasks (
  id uuid PRIMARY KEY,
  org_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  created_by_user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  conversation_id uuid NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
  sandbox_id uuid NOT NULL,
  status text NOT NULL,
  detail text,
  agent_server_url text,
  request jsonb NOT NULL,
  sealed_secrets text,
  deadline_at timestamptz(3) NOT NULL,
  fence bigint NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  request_bytes integer NOT NULL,
  trace_context jsonb,
  CONSTRAINT agent_server_url_length CHECK (char_length(agent_server_url) <= 2048),
  CONSTRAINT detail_length CHECK (char_length(detail) <= 4000),
  CONSTRAINT request_bytes CHECK (octet_length(request::text) <= 8388608),
  CONSTRAINT sealed_secrets_bytes CHECK (octet_length(sealed_secrets) <= 8388608),
  CONSTRAINT status_known
    CHECK (status IN (
      'WORKING', 'WAITING_FOR_SANDBOX', 'PREPARING_REPOSITORY', 'RUNNING_SETUP_SCRIPT',
      'SETTING_UP_GIT_HOOKS', 'SETTING_UP_SKILLS', 'STARTING_CONVERSATION', 'READY', 'ERROR')),
  CONSTRAINT trace_context_bytes CHECK (octet_length(trace_context::text) <= 2048)
);
CREATE UNIQUE INDEX start_tasks_conversation_id_key ON start_tasks (conversation_id);
CREATE INDEX start_tasks_open_org ON start_tasks (org_id) WHERE status NOT IN ('READY', 'ERROR');
CREATE INDEX start_tasks_open_sandbox ON start_tasks (sandbox_id) WHERE status NOT IN ('READY', 'ERROR');
CREATE INDEX start_tasks_open_user ON start_tasks (created_by_user_id) WHERE status NOT IN ('READY', 'ERROR');
CREATE INDEX start_tasks_over ON start_tasks (updated_at) WHERE NOT status NOT IN ('READY', 'ERROR');
CREATE INDEX start_tasks_user_created ON start_tasks (created_by_user_id, created_at DESC, id DESC);
COMMENT ON COLUMN start_tasks.request_bytes
  IS 'of the request as text, kept by a trigger';

CREATE TABLE conversation_counts (
  org_id uuid NOT NULL,
  day date NOT NULL,
  execution_status text NOT NULL,
  is_sub boolean NOT NULL,
  conversations bigint NOT NULL,
  PRIMARY KEY (org_id, day, execution_status, is_sub)
);
COMMENT ON COLUMN conversation_counts.day IS 'of creation, UTC; -infinity has all days together';
COMMENT ON COLUMN conversation_counts.execution_status IS 'empty for none';

CREATE TABLE conversation_count_deltas (
  org_id uuid NOT NULL,
  day date NOT NULL,
  execution_status text NOT NULL,
  is_sub boolean NOT NULL,
  llm_model text NOT NULL,
  conversations bigint NOT NULL,
  accumulated_cost numeric NOT NULL,
  prompt_tokens numeric NOT NULL,
  completion_tokens numeric NOT NULL,
  cache_read_tokens numeric NOT NULL,
  cache_write_tokens numeric NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
CREATE INDEX conversation_count_deltas_org ON conversation_count_deltas (org_id);

CREATE TABLE sandbox_counts (
  org_id uuid NOT NULL,
  status text NOT NULL,
  sandboxes bigint NOT NULL
);
CREATE INDEX sandbox_counts_org ON sandbox_counts (org_id, status);

CREATE FUNCTION conversation_day(at timestamptz) RETURNS date LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT (at AT TIME ZONE 'UTC')::date
$$;

CREATE FUNCTION conversation_money(amount double precision) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT CASE WHEN amount IN ('NaN', 'Infinity', '-Infinity') THEN 0 ELSE amount::numeric END
$$;

CREATE FUNCTION conversations_counted_in() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO conversation_count_deltas
    SELECT c.org_id, conversation_day(c.created_at), coalesce(c.execution_status, ''),
      c.parent_conversation_id IS NOT NULL, coalesce(left(c.llm_model, 255), ''),
      count(*), sum(conversation_money(c.accumulated_cost)), sum(c.prompt_tokens), sum(c.completion_tokens),
      sum(c.cache_read_tokens), sum(c.cache_write_tokens)
      FROM added c WHERE c.deleted_at IS NULL GROUP BY 1, 2, 3, 4, 5;
  RETURN NULL;
END
$$;

CREATE FUNCTION conversations_counted_out() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO conversation_count_deltas
    SELECT c.org_id, conversation_day(c.created_at), coalesce(c.execution_status, ''),
      c.parent_conversation_id IS NOT NULL, coalesce(left(c.llm_model, 255), ''),
      -count(*), -sum(conversation_money(c.accumulated_cost)), -sum(c.prompt_tokens), -sum(c.completion_tokens),
      -sum(c.cache_read_tokens), -sum(c.cache_write_tokens)
      FROM removed c WHERE c.deleted_at IS NULL GROUP BY 1, 2, 3, 4, 5;
  RETURN NULL;
END
$$;

CREATE FUNCTION conversations_counted_anew() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.deleted_at IS NULL AND NEW.deleted_at IS NULL THEN
    IF OLD.org_id IS NOT DISTINCT FROM NEW.org_id
      AND OLD.created_at IS NOT DISTINCT FROM NEW.created_at
      AND OLD.execution_status IS NOT DISTINCT FROM NEW.execution_status
      AND OLD.parent_conversation_id IS NOT DISTINCT FROM NEW.parent_conversation_id
      AND OLD.llm_model IS NOT DISTINCT FROM NEW.llm_model
    THEN
      INSERT INTO conversation_count_deltas VALUES (
        NEW.org_id, conversation_day(NEW.created_at), coalesce(NEW.execution_status, ''),
        NEW.parent_conversation_id IS NOT NULL, coalesce(left(NEW.llm_model, 255), ''), 0,
        conversation_money(NEW.accumulated_cost) - conversation_money(OLD.accumulated_cost),
        NEW.prompt_tokens::numeric - OLD.prompt_tokens,
        NEW.completion_tokens::numeric - OLD.completion_tokens,
        NEW.cache_read_tokens::numeric - OLD.cache_read_tokens,
        NEW.cache_write_tokens::numeric - OLD.cache_write_tokens);
    ELSE
      INSERT INTO conversation_count_deltas VALUES
        (OLD.org_id, conversation_day(OLD.created_at), coalesce(OLD.execution_status, ''),
         OLD.parent_conversation_id IS NOT NULL, coalesce(left(OLD.llm_model, 255), ''), -1,
         -conversation_money(OLD.accumulated_cost), -OLD.prompt_tokens::numeric, -OLD.completion_tokens::numeric,
         -OLD.cache_read_tokens::numeric, -OLD.cache_write_tokens::numeric),
        (NEW.org_id, conversation_day(NEW.created_at), coalesce(NEW.execution_status, ''),
         NEW.parent_conversation_id IS NOT NULL, coalesce(left(NEW.llm_model, 255), ''), 1,
         conversation_money(NEW.accumulated_cost), NEW.prompt_tokens::numeric, NEW.completion_tokens::numeric,
         NEW.cache_read_tokens::numeric, NEW.cache_write_tokens::numeric);
    END IF;
  ELSIF OLD.deleted_at IS NULL THEN
    INSERT INTO conversation_count_deltas VALUES
      (OLD.org_id, conversation_day(OLD.created_at), coalesce(OLD.execution_status, ''),
       OLD.parent_conversation_id IS NOT NULL, coalesce(left(OLD.llm_model, 255), ''), -1,
       -conversation_money(OLD.accumulated_cost), -OLD.prompt_tokens::numeric, -OLD.completion_tokens::numeric,
       -OLD.cache_read_tokens::numeric, -OLD.cache_write_tokens::numeric);
  ELSIF NEW.deleted_at IS NULL THEN
    INSERT INTO conversation_count_deltas VALUES
      (NEW.org_id, conversation_day(NEW.created_at), coalesce(NEW.execution_status, ''),
       NEW.parent_conversation_id IS NOT NULL, coalesce(left(NEW.llm_model, 255), ''), 1,
       conversation_money(NEW.accumulated_cost), NEW.prompt_tokens::numeric, NEW.completion_tokens::numeric,
       NEW.cache_read_tokens::numeric, NEW.cache_write_tokens::numeric);
  END IF;
  RETURN NULL;
END
$$;

CREATE FUNCTION conversations_counted_none() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE conversation_counts, conversation_usage, conversation_count_deltas;
  RETURN NULL;
END
$$;

CREATE FUNCTION conversation_counts_fold(most integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  folded integer;
  orgs uuid[];
BEGIN
  IF NOT pg_try_advisory_xact_lock(7246002) THEN RETURN 0; END IF;
  WITH taken AS (
    DELETE FROM conversation_count_deltas
     WHERE ctid = ANY (ARRAY(SELECT ctid FROM conversation_count_deltas LIMIT most))
    RETURNING *
  ), counts AS (
    INSERT INTO conversation_counts AS held
    SELECT t.org_id, d.day, t.execution_status, t.is_sub, sum(t.conversations)
      FROM taken t CROSS JOIN LATERAL (VALUES (t.day), ('-infinity'::date)) d (day)
     WHERE t.conversations <> 0
     GROUP BY 1, 2, 3, 4
    ON CONFLICT (org_id, day, execution_status, is_sub)
      DO UPDATE SET conversations = held.conversations + EXCLUDED.conversations
  ), usage AS (
    INSERT INTO conversation_usage AS held
    SELECT org_id, llm_model, sum(conversations), sum(accumulated_cost), sum(prompt_tokens),
           sum(completion_tokens), sum(cache_read_tokens), sum(cache_write_tokens)
      FROM taken GROUP BY 1, 2
    ON CONFLICT (org_id, llm_model) DO UPDATE SET
      conversations = held.conversations + EXCLUDED.conversations,
      accumulated_cost = held.accumulated_cost + EXCLUDED.accumulated_cost,
      prompt_tokens = held.prompt_tokens + EXCLUDED.prompt_tokens,
      completion_tokens = held.completion_tokens + EXCLUDED.completion_tokens,
      cache_read_tokens = held.cache_read_tokens + EXCLUDED.cache_read_tokens,
      cache_write_tokens = held.cache_write_tokens + EXCLUDED.cache_write_tokens
  )
  SELECT count(*), array_agg(DISTINCT org_id) FILTER (WHERE conversations < 0) INTO folded, orgs FROM taken;
  IF orgs IS NOT NULL THEN
    DELETE FROM conversation_counts WHERE org_id = ANY (orgs) AND conversations = 0;
    DELETE FROM conversation_usage WHERE org_id = ANY (orgs) AND conversations = 0 AND accumulated_cost = 0
       AND prompt_tokens = 0 AND completion_tokens = 0 AND cache_read_tokens = 0 AND cache_write_tokens = 0;
  END IF;
  RETURN folded;
END
$$;

CREATE FUNCTION conversation_counts_rebuild() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  total bigint;
BEGIN
  DELETE FROM conversation_count_deltas;
  DELETE FROM conversation_counts;
  DELETE FROM conversation_usage;
  INSERT INTO conversation_counts
    SELECT c.org_id, d.day, coalesce(c.execution_status, ''), c.parent_conversation_id IS NOT NULL, count(*)
      FROM conversations c
     CROSS JOIN LATERAL (VALUES (conversation_day(c.created_at)), ('-infinity'::date)) d (day)
     WHERE c.deleted_at IS NULL GROUP BY 1, 2, 3, 4;
  INSERT INTO conversation_usage
    SELECT c.org_id, coalesce(left(c.llm_model, 255), ''), count(*), sum(conversation_money(c.accumulated_cost)),
           sum(c.prompt_tokens), sum(c.completion_tokens), sum(c.cache_read_tokens), sum(c.cache_write_tokens)
      FROM conversations c WHERE c.deleted_at IS NULL GROUP BY 1, 2;
  SELECT coalesce(sum(u.conversations), 0) INTO total FROM conversation_usage u;
  RETURN total;
END
$$;

CREATE FUNCTION sandboxes_counted_in() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO sandbox_counts
    SELECT s.org_id, CASE WHEN s.stopping IS NULL THEN s.status ELSE 'PAUSED' END, count(*)
      FROM added s GROUP BY 1, 2;
  RETURN NULL;
END
$$;

CREATE FUNCTION sandboxes_counted_out() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO sandbox_counts
    SELECT s.org_id, CASE WHEN s.stopping IS NULL THEN s.status ELSE 'PAUSED' END, -count(*)
      FROM removed s GROUP BY 1, 2;
  RETURN NULL;
END
$$;

CREATE FUNCTION sandboxes_counted_anew() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO sandbox_counts VALUES
    (OLD.org_id, CASE WHEN OLD.stopping IS NULL THEN OLD.status ELSE 'PAUSED' END, -1),
    (NEW.org_id, CASE WHEN NEW.stopping IS NULL THEN NEW.status ELSE 'PAUSED' END, 1);
  RETURN NULL;
END
$$;

CREATE FUNCTION sandboxes_counted_none() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE sandbox_counts;
  RETURN NULL;
END
$$;

CREATE FUNCTION sandbox_counts_fold() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT pg_try_advisory_xact_lock(7246002) THEN RETURN; END IF;
  WITH several AS (
    SELECT org_id, status FROM sandbox_counts GROUP BY 1, 2 HAVING count(*) > 1
  ), taken AS (
    DELETE FROM sandbox_counts c USING several s WHERE c.org_id = s.org_id AND c.status = s.status
    RETURNING c.*
  )
  INSERT INTO sandbox_counts
    SELECT org_id, status, sum(sandboxes) FROM taken GROUP BY 1, 2 HAVING sum(sandboxes) <> 0;
END
$$;

CREATE FUNCTION sandbox_counts_rebuild() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM sandbox_counts;
  INSERT INTO sandbox_counts
    SELECT s.org_id, CASE WHEN s.stopping IS NULL THEN s.status ELSE 'PAUSED' END, count(*)
      FROM sandboxes s GROUP BY 1, 2;
END
$$;

CREATE FUNCTION conversations_keep_repository() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.started_repository := coalesce(OLD.selected_repository, '');
  RETURN NEW;
END
$$;

CREATE FUNCTION conversations_sort_texts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.sort_title := left(lower(NEW.title), 255);
  NEW.sort_model := left(NEW.llm_model, 255);
  RETURN NEW;
END
$$;

CREATE FUNCTION start_tasks_sized() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.request_bytes := octet_length(NEW.request::text);
  RETURN NEW;
END
$$;

CREATE FUNCTION log_conversation_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  fields text[];
  logged bigint;
  noted text;
BEGIN
  IF OLD.start_state IS DISTINCT FROM NEW.start_state OR OLD.execution_status IS DISTINCT FROM NEW.execution_status THEN
    INSERT INTO domain_events (org_id, conversation_id, kind, event)
    VALUES (NEW.org_id, NEW.id, 'conversation.status_changed', json_build_object(
      'kind', 'conversation.status_changed', 'org_id', NEW.org_id, 'conversation_id', NEW.id,
      'start_state', NEW.start_state, 'execution_status', NEW.execution_status)) RETURNING id INTO logged;
    noted := note_logged(logged::text);
  END IF;
  fields := array_remove(ARRAY[
    CASE WHEN OLD.title IS DISTINCT FROM NEW.title THEN 'title' END,
    CASE WHEN OLD.llm_model IS DISTINCT FROM NEW.llm_model THEN 'llm_model' END,
    CASE WHEN OLD.agent_kind IS DISTINCT FROM NEW.agent_kind THEN 'agent_kind' END,
    CASE WHEN OLD.selected_repository IS DISTINCT FROM NEW.selected_repository THEN 'selected_repository' END,
    CASE WHEN OLD.selected_branch IS DISTINCT FROM NEW.selected_branch THEN 'selected_branch' END,
    CASE WHEN OLD.git_provider IS DISTINCT FROM NEW.git_provider THEN 'git_provider' END,
    CASE WHEN OLD.trigger IS DISTINCT FROM NEW.trigger THEN 'trigger' END,
    CASE WHEN OLD.pr_number IS DISTINCT FROM NEW.pr_number THEN 'pr_number' END,
    CASE WHEN OLD.pr_merged IS DISTINCT FROM NEW.pr_merged THEN 'pr_merged' END,
    CASE WHEN OLD.tags IS DISTINCT FROM NEW.tags THEN 'tags' END,
    CASE WHEN OLD.accumulated_cost IS DISTINCT FROM NEW.accumulated_cost THEN 'accumulated_cost' END,
    CASE WHEN OLD.prompt_tokens IS DISTINCT FROM NEW.prompt_tokens THEN 'prompt_tokens' END,
    CASE WHEN OLD.completion_tokens IS DISTINCT FROM NEW.completion_tokens THEN 'completion_tokens' END,
    CASE WHEN OLD.cache_read_tokens IS DISTINCT FROM NEW.cache_read_tokens THEN 'cache_read_tokens' END,
    CASE WHEN OLD.cache_write_tokens IS DISTINCT FROM NEW.cache_write_tokens THEN 'cache_write_tokens' END,
    CASE WHEN OLD.reasoning_tokens IS DISTINCT FROM NEW.reasoning_tokens THEN 'reasoning_tokens' END,
    CASE WHEN OLD.context_window IS DISTINCT FROM NEW.context_window THEN 'context_window' END,
    CASE WHEN OLD.per_turn_tokens IS DISTINCT FROM NEW.per_turn_tokens THEN 'per_turn_tokens' END,
    CASE WHEN OLD.max_budget_per_task IS DISTINCT FROM NEW.max_budget_per_task THEN 'max_budget_per_task' END,
    CASE WHEN OLD.launched_profile_id IS DISTINCT FROM NEW.launched_profile_id THEN 'launched_profile_id' END,
    CASE WHEN OLD.launched_profile_revision IS DISTINCT FROM NEW.launched_profile_revision THEN 'launched_profile_revision' END,
    CASE WHEN OLD.sandbox_id IS DISTINCT FROM NEW.sandbox_id THEN 'sandbox_id' END
  ], NULL);
  IF cardinality(fields) > 0 THEN
    INSERT INTO domain_events (org_id, conversation_id, kind, event)
    VALUES (NEW.org_id, NEW.id, 'conversation.updated', json_build_object(
      'kind', 'conversation.updated', 'org_id', NEW.org_id, 'conversation_id', NEW.id, 'fields', fields)) RETURNING id INTO logged;
    noted := note_logged(logged::text);
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER conversations_counted_anew AFTER UPDATE ON conversations
  FOR EACH ROW
  WHEN (old.org_id IS DISTINCT FROM new.org_id
    OR old.created_at IS DISTINCT FROM new.created_at
    OR old.deleted_at IS DISTINCT FROM new.deleted_at
    OR old.execution_status IS DISTINCT FROM new.execution_status
    OR old.parent_conversation_id IS DISTINCT FROM new.parent_conversation_id
    OR old.llm_model IS DISTINCT FROM new.llm_model
    OR old.accumulated_cost IS DISTINCT FROM new.accumulated_cost
    OR old.prompt_tokens IS DISTINCT FROM new.prompt_tokens
    OR old.completion_tokens IS DISTINCT FROM new.completion_tokens
    OR old.cache_read_tokens IS DISTINCT FROM new.cache_read_tokens
    OR old.cache_write_tokens IS DISTINCT FROM new.cache_write_tokens)
  EXECUTE FUNCTION conversations_counted_anew();
CREATE TRIGGER conversations_counted_in AFTER INSERT ON conversations
  REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT
  EXECUTE FUNCTION conversations_counted_in();
CREATE TRIGGER conversations_counted_none AFTER TRUNCATE ON conversations
  FOR EACH STATEMENT
  EXECUTE FUNCTION conversations_counted_none();
CREATE TRIGGER conversations_counted_out AFTER DELETE ON conversations
  REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT
  EXECUTE FUNCTION conversations_counted_out();
CREATE TRIGGER conversations_keep_repository BEFORE UPDATE OF selected_repository ON conversations
  FOR EACH ROW
  WHEN (old.started_repository IS NULL AND old.selected_repository IS DISTINCT FROM new.selected_repository)
  EXECUTE FUNCTION conversations_keep_repository();
CREATE TRIGGER conversations_logged AFTER UPDATE ON conversations
  FOR EACH ROW
  WHEN (new.deleted_at IS NULL
    AND (old.start_state IS DISTINCT FROM new.start_state
    OR old.execution_status IS DISTINCT FROM new.execution_status
    OR old.title IS DISTINCT FROM new.title
    OR old.llm_model IS DISTINCT FROM new.llm_model
    OR old.agent_kind IS DISTINCT FROM new.agent_kind
    OR old.selected_repository IS DISTINCT FROM new.selected_repository
    OR old.selected_branch IS DISTINCT FROM new.selected_branch
    OR old.git_provider IS DISTINCT FROM new.git_provider
    OR old.trigger IS DISTINCT FROM new.trigger
    OR old.pr_number IS DISTINCT FROM new.pr_number
    OR old.pr_merged IS DISTINCT FROM new.pr_merged
    OR old.tags IS DISTINCT FROM new.tags
    OR old.accumulated_cost IS DISTINCT FROM new.accumulated_cost
    OR old.prompt_tokens IS DISTINCT FROM new.prompt_tokens
    OR old.completion_tokens IS DISTINCT FROM new.completion_tokens
    OR old.cache_read_tokens IS DISTINCT FROM new.cache_read_tokens
    OR old.cache_write_tokens IS DISTINCT FROM new.cache_write_tokens
    OR old.reasoning_tokens IS DISTINCT FROM new.reasoning_tokens
    OR old.context_window IS DISTINCT FROM new.context_window
    OR old.per_turn_tokens IS DISTINCT FROM new.per_turn_tokens
    OR old.max_budget_per_task IS DISTINCT FROM new.max_budget_per_task
    OR old.launched_profile_id IS DISTINCT FROM new.launched_profile_id
    OR old.launched_profile_revision IS DISTINCT FROM new.launched_profile_revision
    OR old.sandbox_id IS DISTINCT FROM new.sandbox_id))
  EXECUTE FUNCTION log_conversation_event();
CREATE TRIGGER conversations_sort_texts BEFORE INSERT OR UPDATE OF title, llm_model ON conversations
  FOR EACH ROW
  EXECUTE FUNCTION conversations_sort_texts();
CREATE TRIGGER sandboxes_counted_anew AFTER UPDATE ON sandboxes
  FOR EACH ROW
  WHEN (old.org_id <> new.org_id
    OR CASE WHEN old.stopping IS NULL THEN old.status ELSE 'PAUSED' END <> CASE WHEN new.stopping IS NULL THEN new.status ELSE 'PAUSED' END)
  EXECUTE FUNCTION sandboxes_counted_anew();
CREATE TRIGGER sandboxes_counted_in AFTER INSERT ON sandboxes
  REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT
  EXECUTE FUNCTION sandboxes_counted_in();
CREATE TRIGGER sandboxes_counted_none AFTER TRUNCATE ON sandboxes
  FOR EACH STATEMENT
  EXECUTE FUNCTION sandboxes_counted_none();
CREATE TRIGGER sandboxes_counted_out AFTER DELETE ON sandboxes
  REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT
  EXECUTE FUNCTION sandboxes_counted_out();
CREATE TRIGGER start_tasks_sized BEFORE INSERT OR UPDATE OF request ON start_tasks
  FOR EACH ROW
  EXECUTE FUNCTION start_tasks_sized();
