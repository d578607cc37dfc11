import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

const TABLE = `
CREATE TABLE model_refusals (
  org_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  hour timestamptz NOT NULL,
  code text NOT NULL,
  model text NOT NULL,
  count bigint NOT NULL,
  last_at timestamptz(3) NOT NULL,
  PRIMARY KEY (org_id, hour, code, model),
  CONSTRAINT model_refusals_code CHECK (code IN ('model_not_allowed', 'model_price_unknown', 'budget_exhausted')),
  CONSTRAINT model_refusals_model CHECK (char_length(model) <= 255)
);
CREATE INDEX model_refusals_hour ON model_refusals (hour);
COMMENT ON TABLE model_refusals IS 'calls to models that were refused, by hour'`;

/** What was refused in the last days, counted. */
export class ModelRefusals20261129031100 implements CompatibleMigration {
  readonly oldestBuild = 20261127180000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(TABLE);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE model_refusals');
  }
}
