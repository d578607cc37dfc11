import type { QueryRunner } from 'typeorm';
import type { CompatibleMigration } from '../schema/compatibility';

/**
 * Of each table whose changes rows of the audit log have: the column with the id, and those that are noted. `-` before a column:
 * only that it was changed, as it is secret, personal, or large; `=`: no more than that where the row is a user's, whose words these
 * are, which have to go with them; `~`: of an address, no more than scheme and host, since the rest may be secret.
 */
const NOTED: Readonly<Record<string, readonly [id: string, columns: string]>> = {
  organizations: ['id', 'name'],
  users: ['id', 'kind,disabled_at,confined_to_org_id,current_org_id,-email,-name'],
  org_members: ['user_id', 'role,own_role_id'],
  org_roles: ['id', 'name,permissions'],
  org_credential_rules: [
    'org_id',
    'longest_key_days,expiry_required,scopes_required,key_makers,keys_beside_provider,only_provider_id',
  ],
  api_keys: [
    'id',
    'user_id,org_id,=name,prefix,not_before,expires_at,rotated_at,is_of_service,scopes,address_ranges,let_in_by_user_id,made_by_user_id,identity_provider_id',
  ],
  browser_sessions: ['id', 'api_key_id'],
  service_accounts: ['user_id', 'owner_user_id'],
  invitations: ['id', 'role,status,generation,expires_at,-email'],
  identity_providers: [
    'id',
    'name,issuer,client_id,scope,default_role,group_claim,group_roles,audience,introspection,-sealed_client_secret',
  ],
  identity_domains: ['domain', 'verified_at,verified_by'],
  user_identities: ['user_id', 'provider_id'],
  scim_tokens: ['id', 'name,prefix,expires_at'],
  scim_users: ['id', 'active,deleted_at,-email,-resource'],
  scim_groups: ['id', 'resource,role,own_role_id'],
  scim_group_members: ['scim_user_id', 'group_id'],
  agent_settings: [
    'id',
    'user_id,org_id,=llm_model,=~llm_base_url,condenser_enabled,condenser_max_size,confirmation_mode,security_analyzer,max_iterations,language,=disabled_skills,enable_sound_notifications,user_consents_to_analytics,-git_user_name,-git_user_email,-sealed_llm_api_key,-sealed_mcp_config,-sealed_llm_options',
  ],
  llm_profiles: ['id', 'user_id,org_id,=name,=model,=~base_url,is_active,-sealed_api_key,-sealed_options'],
  agent_profiles: ['id', 'user_id,org_id,=name,=llm_profile_ref,is_active'],
  provider_connections: ['id', 'provider,~base_url,-sealed_api_key'],
  user_secrets: ['id', 'org_id,=name,-description,-sealed_value'],
  git_credentials: ['id', 'user_id,org_id,=~url_prefix,git_provider,-username,-sealed_password'],
  org_app_settings: [
    'org_id',
    'enable_proactive_conversation_starters,max_budget_per_task,registered_marketplaces',
  ],
  user_app_settings: ['user_id', '=registered_marketplaces'],
  user_org_app_settings: ['user_id', 'org_id,=registered_marketplaces'],
  webhooks: ['id', 'kinds,conversation_ids,tags,enabled,disabled_reason,~url,-description,-sealed_secret'],
};

/** The most bytes of what is noted in a transaction, and of one value. */
const MOST_BYTES = 12_000;
const MOST_VALUE_BYTES = 2_000;

const FUNCTION = `
CREATE FUNCTION audit_noted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  noted text := coalesce(current_setting('audit.changes', true), '');
  old_row jsonb := CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) END;
  new_row jsonb := CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) END;
  before jsonb := '{}';
  after jsonb := '{}';
  named text;
  shown text;
  entry text;
BEGIN
  IF octet_length(noted) >= ${MOST_BYTES} THEN RETURN NULL; END IF;
  FOREACH named IN ARRAY string_to_array(TG_ARGV[1], ',') LOOP
    shown := ltrim(named, '-=~');
    CONTINUE WHEN TG_OP = 'UPDATE' AND old_row -> shown IS NOT DISTINCT FROM new_row -> shown;
    IF named LIKE '-%' OR named LIKE '=%' AND coalesce(new_row, old_row) ->> 'user_id' IS NOT NULL THEN
      IF TG_OP = 'UPDATE' THEN after := after || jsonb_build_object(shown, '(changed)'); END IF;
      CONTINUE;
    END IF;
    before := before || jsonb_build_object(shown, audit_value(old_row -> shown, named LIKE '%~%'));
    after := after || jsonb_build_object(shown, audit_value(new_row -> shown, named LIKE '%~%'));
  END LOOP;
  IF TG_OP = 'UPDATE' AND after = '{}' THEN RETURN NULL; END IF;
  IF TG_OP = 'INSERT' THEN before := NULL; ELSIF TG_OP = 'DELETE' THEN after := NULL; END IF;
  entry := jsonb_build_object('table', TG_TABLE_NAME, 'id', coalesce(new_row, old_row) ->> TG_ARGV[0],
                              'before', before, 'after', after)::text;
  IF octet_length(noted) + octet_length(entry) >= ${MOST_BYTES} THEN
    entry := jsonb_build_object('table', TG_TABLE_NAME, 'id', coalesce(new_row, old_row) ->> TG_ARGV[0],
                                'before', CASE WHEN before IS NOT NULL THEN '{"left_out": true}'::jsonb END,
                                'after', CASE WHEN after IS NOT NULL THEN '{"left_out": true}'::jsonb END)::text;
  END IF;
  PERFORM set_config('audit.changes', CASE WHEN noted = '' THEN entry ELSE noted || ',' || entry END, true);
  RETURN NULL;
END $$;
COMMENT ON FUNCTION audit_noted()
  IS 'notes a change for the row of the audit log that its transaction writes; arguments: the column of the id, and those that are noted'`;

const VALUE = `
CREATE FUNCTION audit_value(value jsonb, is_address boolean) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN is_address AND jsonb_typeof(value) = 'string'
              THEN to_jsonb(concat((regexp_match(value #>> '{}', '^([A-Za-z][A-Za-z0-9+.-]*://)(?:[^/?#]*@)?([^/?#@]*)'))[1],
                                   (regexp_match(value #>> '{}', '^([A-Za-z][A-Za-z0-9+.-]*://)(?:[^/?#]*@)?([^/?#@]*)'))[2]))
              WHEN octet_length(value::text) > ${MOST_VALUE_BYTES}
              THEN jsonb_build_object('bytes', octet_length(value::text))
              -- The name of a user in an address may be a token.
              ELSE regexp_replace(value::text, '://[^/?#@"[:space:]]*@', '://', 'g')::jsonb END
$$;
COMMENT ON FUNCTION audit_value(jsonb, boolean) IS 'a value as rows of the audit log have it'`;

function triggerOf(table: string, [id, columns]: readonly [string, string]): string {
  const watched = columns.replaceAll(/[-=~]/g, '').replaceAll(',', ', ');
  return `CREATE TRIGGER audit_noted AFTER INSERT OR DELETE OR UPDATE OF ${watched} ON ${table}
  FOR EACH ROW EXECUTE FUNCTION audit_noted('${id}', '${columns}')`;
}

/** Settings, roles, policies and credentials as they were and are, for the rows of the audit log. */
export class AuditNoted20261129021000 implements CompatibleMigration {
  readonly oldestBuild = 20261127180000;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL lock_timeout = '5s'`);
    await runner.query(VALUE);
    await runner.query(FUNCTION);
    for (const [table, noted] of Object.entries(NOTED)) await runner.query(triggerOf(table, noted));
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of Object.keys(NOTED)) await runner.query(`DROP TRIGGER audit_noted ON ${table}`);
    await runner.query('DROP FUNCTION audit_noted, audit_value');
  }
}
