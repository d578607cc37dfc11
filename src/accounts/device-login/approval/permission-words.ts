/** What the permissions of the service let somebody do, for people. */
const WORDS: Readonly<Record<string, string>> = {
  manage_application_settings: 'change your settings, models and secrets',
  view_org_settings: 'see the settings of an organization',
  manage_api_keys: 'make and revoke your keys, and end your sessions',
  view_automations: 'see automations',
  use_conversations: 'start and use your conversations and their sandboxes',
  edit_org_settings: 'change the settings of an organization',
  view_org_conversations: 'see all conversations of an organization',
  stop_org_conversations: 'stop conversations of others',
  invite_user_to_organization: 'invite people',
  'change_user_role:member': 'change and remove members',
  'change_user_role:admin': 'change and remove admins',
  manage_sessions: 'see and end sessions of members',
  manage_webhooks: 'manage webhooks',
  manage_automations: 'manage automations',
  view_audit_log: 'see the audit log',
  manage_roles: 'make and change roles',
  manage_service_accounts: 'manage service accounts',
  view_retention: 'see how long an organization keeps what',
  manage_legal_holds: 'hold conversations and people, so that nothing of them is deleted',
  view_budgets: 'see budgets, and what models are called for',
  manage_budgets: 'decide what may be spent on models',
  'change_user_role:owner': 'change and remove owners',
  change_organization_name: 'rename an organization',
  delete_organization: 'delete an organization',
  manage_identity_providers: 'manage providers to sign in with, and domains',
  manage_scim: 'manage the directory of an organization',
  manage_retention: 'decide how long an organization keeps what',
  erase_members: 'erase members with all that they have',
};

/** What a permission lets somebody do; its name, for one of an extension. */
export function permissionWords(permission: string): string {
  return WORDS[permission] ?? permission;
}
