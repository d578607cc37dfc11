import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

const TABLE = `
CREATE TABLE model_policies (
  org_id uuid PRIMARY KEY REFERENCES organizations (id) ON DELETE CASCADE,
  allowed_models jsonb,
  allowed_by_role jsonb NOT NULL DEFAULT '{}'::jsonb,
  max_output_tokens integer,
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT model_policies_allowed_bytes CHECK (octet_length(allowed_models::text) <= 65536),
  CONSTRAINT model_policies_by_role_bytes CHECK (octet_length(allowed_by_role::text) <= 200000),
  CONSTRAINT model_policies_output CHECK (max_output_tokens BETWEEN 1 AND 10000000)
);
CREATE TRIGGER audit_noted AFTER INSERT OR DELETE OR UPDATE ON model_policies
  FOR EACH ROW EXECUTE FUNCTION audit_noted('org_id', 'allowed_models,allowed_by_role,max_output_tokens');
COMMENT ON COLUMN model_policies.allowed_models IS 'patterns; none allows nothing, null allows what the installation does';
COMMENT ON COLUMN model_policies.allowed_by_role IS 'patterns for each role that may use fewer of them'`;

/** Which models organizations may use. */
export class ModelPolicies20261129031000 implements CompatibleMigration {
  /** Earlier builds go by no policy: docs/model-policy.md says so. */
  readonly oldestBuild = 20261127180000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(TABLE);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Restore the backup from before the upgrade.'));
  }
}
