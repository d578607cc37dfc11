import { type Permission, PermissionTable, ROLES } from '../../../kernel/auth';
import { grantableRoles } from './grantable-roles';

const table = new PermissionTable({ 'acme:manage_notes': 'member', 'acme:delete_notes': 'admin' });

describe('who may invite as what', () => {
  it.each([
    ['owner', ROLES],
    ['admin', ['member', 'admin']],
    ['member', []],
  ] as const)('%s as %j', (inviter, roles) => {
    expect([...grantableRoles(table, table.standing(inviter, null))]).toEqual(roles);
  });

  const invite: Permission = 'invite_user_to_organization';
  const ofAdmin = table.of('admin');
  it.each<[string, readonly Permission[], readonly string[]]>([
    ['only invites', [invite], []],
    ['has all of a member', [...table.of('member'), invite], ['member']],
    ['lacks an extension’s permission of members', [...table.of('member').slice(0, -1), invite], []],
    ['has all of an admin', ofAdmin, ['member', 'admin']],
    ['lacks one permission of admins', ofAdmin.slice(0, -1), ['member']],
    ['has all but inviting', ofAdmin.filter((permission) => permission !== invite), []],
  ])('who has an own role that %s', (_, permissions, roles) => {
    expect([...grantableRoles(table, table.standing('member', permissions))]).toEqual(roles);
  });

  it('who is no member as nothing', () => {
    expect(grantableRoles(table, null).size).toBe(0);
  });
});
