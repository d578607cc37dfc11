import { roleHasPermission, outranks, parseRole, permissionsOf, ROLES } from './permissions';

const MEMBER = [
  'manage_application_settings',
  'view_org_settings',
  'manage_api_keys',
  'view_automations',
  'use_conversations',
];
const ADMIN = [
  ...MEMBER,
  'edit_org_settings',
  'view_org_conversations',
  'stop_org_conversations',
  'invite_user_to_organization',
  'change_user_role:member',
  'change_user_role:admin',
  'manage_sessions',
  'manage_webhooks',
  'manage_automations',
  'view_audit_log',
  'manage_roles',
  'manage_service_accounts',
  'view_retention',
  'manage_legal_holds',
  'view_budgets',
  'manage_budgets',
];
const OWNER = [
  ...ADMIN,
  'change_user_role:owner',
  'change_organization_name',
  'delete_organization',
  'manage_identity_providers',
  'manage_scim',
  'manage_retention',
  'erase_members',
];

describe('permissions', () => {
  it.each([
    ['member', MEMBER],
    ['admin', ADMIN],
    ['owner', OWNER],
  ] as const)('%s holds exactly its own', (role, permissions) => {
    expect(permissionsOf(role)).toEqual(permissions);
  });

  it('are never lost by a higher rank', () => {
    for (const permission of permissionsOf('owner'))
      for (const role of ROLES)
        for (const higher of ROLES)
          if (outranks(higher, role) && roleHasPermission(role, permission))
            expect(roleHasPermission(higher, permission)).toBe(true);
  });

  it('know their roles in any case, and no others', () => {
    expect(parseRole('Admin')).toBe('admin');
    expect(parseRole('root')).toBeNull();
  });
});
