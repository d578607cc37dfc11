import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';
import { BUDGET_FUNCTIONS } from './budgets/budget-functions';
import { ORGANIZATION_EMPTIED } from './budgets/organization-emptied';
import { REPORTED_SPENDING } from './budgets/reported-spending';

const TABLES = `
CREATE TABLE budgets (
  id uuid PRIMARY KEY,
  org_id uuid NOT NULL CONSTRAINT budgets_org_id_fkey REFERENCES organizations (id) ON DELETE CASCADE,
  scope text NOT NULL CONSTRAINT scope_known CHECK (scope IN ('organization', 'each_user', 'user', 'repository', 'tag', 'conversation')),
  subject text NOT NULL CONSTRAINT subject_length CHECK (char_length(subject) <= 500),
  period text NOT NULL CONSTRAINT period_known CHECK (period IN ('day', 'month', 'total')),
  limit_usd numeric,
  limit_tokens bigint,
  soft_percent integer,
  enabled boolean NOT NULL DEFAULT true,
  reason text CONSTRAINT reason_length CHECK (char_length(reason) <= 1000),
  created_by_user_id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT budgets_subject CHECK ((scope IN ('organization', 'each_user')) = (subject = '')),
  CONSTRAINT budgets_limited
    CHECK (limit_usd IS NOT NULL OR limit_tokens IS NOT NULL OR scope IN ('organization', 'user')),
  CONSTRAINT budgets_limit_usd CHECK (limit_usd BETWEEN 0 AND 1000000000),
  CONSTRAINT budgets_limit_tokens CHECK (limit_tokens BETWEEN 0 AND 9007199254740991),
  CONSTRAINT budgets_soft_percent CHECK (soft_percent BETWEEN 1 AND 100)
);
CREATE UNIQUE INDEX budgets_key ON budgets (org_id, scope, subject, period);
COMMENT ON COLUMN budgets.subject
  IS 'id of the user or conversation, the repository, or the tag as name:value; empty for the organization and each user';
COMMENT ON COLUMN budgets.enabled IS 'whether it counts, and limits anything';
COMMENT ON COLUMN budgets.reason IS 'why it was last raised';
CREATE TRIGGER audit_noted AFTER INSERT OR DELETE OR
  UPDATE OF scope, subject, period, limit_usd, limit_tokens, soft_percent, enabled, reason ON budgets
  FOR EACH ROW EXECUTE FUNCTION audit_noted('id', 'scope,subject,period,limit_usd,limit_tokens,soft_percent,enabled,reason');

CREATE TABLE budget_spending (
  budget_id uuid NOT NULL CONSTRAINT budget_spending_budget_id_fkey REFERENCES budgets (id) ON DELETE CASCADE,
  user_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  period_start date NOT NULL,
  spent_usd numeric NOT NULL DEFAULT 0,
  spent_tokens numeric NOT NULL DEFAULT 0,
  reserved_usd numeric NOT NULL DEFAULT 0,
  reserved_tokens numeric NOT NULL DEFAULT 0,
  soft_reached_at timestamptz(3),
  exhausted_at timestamptz(3),
  begun_at timestamptz NOT NULL DEFAULT '-infinity',
  PRIMARY KEY (budget_id, period_start, user_id),
  CONSTRAINT budget_spending_amounts
    CHECK (spent_usd >= 0 AND spent_tokens >= 0 AND reserved_usd >= 0 AND reserved_tokens >= 0)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
CREATE INDEX budget_spending_unmarked ON budget_spending (period_start) WHERE exhausted_at IS NULL;
COMMENT ON COLUMN budget_spending.user_id IS 'whose spending it is, of a budget of each user; all zeros for any other';
COMMENT ON COLUMN budget_spending.begun_at
  IS 'when it was set to what the period had had; what was reported before that is in it';
COMMENT ON COLUMN budget_spending.period_start IS 'the first day, UTC; 1970-01-01 for a budget without an end';
COMMENT ON COLUMN budget_spending.reserved_usd IS 'the most that the calls under way may cost';

CREATE TABLE model_calls (
  id uuid PRIMARY KEY,
  org_id uuid NOT NULL CONSTRAINT model_calls_org_id_fkey REFERENCES organizations (id) ON DELETE CASCADE,
  conversation_id uuid NOT NULL,
  user_id uuid NOT NULL,
  repository text CONSTRAINT repository_length CHECK (char_length(repository) <= 2048),
  tags jsonb NOT NULL CONSTRAINT tags_bytes CHECK (octet_length(tags::text) <= 4096),
  model text NOT NULL CONSTRAINT model_length CHECK (char_length(model) <= 255),
  provider text NOT NULL CONSTRAINT provider_length CHECK (char_length(provider) <= 255),
  status text NOT NULL CONSTRAINT status_known CHECK (status IN ('reserved', 'ok', 'failed', 'interrupted', 'lost')),
  prompt_tokens bigint NOT NULL DEFAULT 0,
  completion_tokens bigint NOT NULL DEFAULT 0,
  cache_read_tokens bigint NOT NULL DEFAULT 0,
  cache_write_tokens bigint NOT NULL DEFAULT 0,
  cost numeric NOT NULL DEFAULT 0,
  usage_reported boolean NOT NULL DEFAULT false,
  http_status integer,
  latency_ms integer,
  first_byte_ms integer,
  reserved_usd numeric NOT NULL,
  reserved_tokens bigint NOT NULL,
  budget_ids uuid[] NOT NULL,
  process_id uuid NOT NULL,
  at timestamptz(3) NOT NULL,
  settled_at timestamptz(3),
  CONSTRAINT model_calls_amounts CHECK (cost >= 0 AND prompt_tokens >= 0 AND completion_tokens >= 0
    AND cache_read_tokens >= 0 AND cache_write_tokens >= 0 AND reserved_usd >= 0 AND reserved_tokens >= 0)
) WITH (fillfactor = 90);
CREATE INDEX model_calls_org ON model_calls (org_id, at, id);
CREATE INDEX model_calls_user ON model_calls (user_id, at, id);
CREATE INDEX model_calls_conversation ON model_calls (conversation_id, at, id);
CREATE INDEX model_calls_reserved ON model_calls (process_id) WHERE status = 'reserved';
COMMENT ON COLUMN model_calls.conversation_id IS 'which may be gone: no retention removes the row';
COMMENT ON COLUMN model_calls.budget_ids IS 'in which budgets it was reserved';

CREATE TABLE model_call_processes (
  id uuid PRIMARY KEY,
  seen_at timestamptz(3) NOT NULL
);
COMMENT ON TABLE model_call_processes IS 'processes that make calls, and when each was last seen';

CREATE TABLE budget_deltas (
  org_id uuid NOT NULL CONSTRAINT budget_deltas_org_id_fkey REFERENCES organizations (id) ON DELETE CASCADE,
  conversation_id uuid NOT NULL,
  user_id uuid NOT NULL,
  repository text,
  tags jsonb NOT NULL,
  usd numeric NOT NULL,
  tokens numeric NOT NULL,
  at timestamptz NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
CREATE INDEX budget_deltas_org ON budget_deltas (org_id);
COMMENT ON TABLE budget_deltas IS 'what agent servers reported as spent, until it is added to the budgets';

ALTER TABLE conversations ADD COLUMN metered boolean NOT NULL DEFAULT false;
ALTER TABLE conversations ADD COLUMN beyond_reports numeric[];
COMMENT ON COLUMN conversations.metered
  IS 'its calls of models are in the ledger, from which its cost and tokens are, whatever its agent server reports';
COMMENT ON COLUMN conversations.beyond_reports
  IS 'by how much its cost and tokens were more than its agent server reported when it last did so while it was metered'`;

/** Budgets, what is spent and reserved of them, and the ledger of calls of models. */
export class Budgets20261129032000 implements CompatibleMigration {
  /** Earlier builds have no gateway: what their agents spend is counted by the triggers. */
  readonly oldestBuild = 20261127180000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(TABLES);
    for (const statement of [...BUDGET_FUNCTIONS, ...REPORTED_SPENDING, ORGANIZATION_EMPTIED])
      await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Restore the backup from before the upgrade.'));
  }
}
