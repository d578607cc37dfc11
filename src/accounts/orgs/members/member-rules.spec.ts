import { PermissionTable, type Permission, ROLES } from '../../../kernel/auth';
import { mayChangeRole, mayRemove } from './member-rules';

const table = new PermissionTable({});
const of = (role: (typeof ROLES)[number]) => table.standing(role, null);
const own = (...permissions: Permission[]) => table.standing('member', permissions);

/** actor: which change of another's role they may make, `from>to`. */
const CHANGES = {
  member: [],
  admin: ['member>member', 'member>admin'],
  owner: [
    'member>member',
    'member>admin',
    'member>owner',
    'admin>member',
    'admin>admin',
    'admin>owner',
    'owner>member',
    'owner>admin',
    'owner>owner',
  ],
};

/** actor: whom they may remove. */
const REMOVALS = { member: [], admin: ['member'], owner: ['member', 'admin', 'owner'] };

describe('who may do what to members', () => {
  it.each(ROLES)('%s changes exactly these roles', (actor) => {
    const allowed = ROLES.flatMap((from) =>
      ROLES.filter((to) => mayChangeRole(of(actor), of(from), to)).map((to) => `${from}>${to}`),
    );
    expect(allowed).toEqual(CHANGES[actor]);
  });

  it.each(ROLES)('%s removes exactly these', (actor) => {
    expect(ROLES.filter((target) => mayRemove(of(actor), of(target)))).toEqual(REMOVALS[actor]);
  });

  it('nobody with an own role does any of it, whatever it permits', () => {
    const all = own(...table.of('owner'));
    for (const target of [...ROLES.map(of), own('view_audit_log')]) {
      expect(mayRemove(all, target)).toBe(false);
      for (const to of ROLES) expect(mayChangeRole(all, target, to)).toBe(false);
    }
  });

  it('an admin does it to no member whose own role permits what theirs does not', () => {
    expect(mayRemove(of('admin'), own('view_audit_log'))).toBe(true);
    expect(mayRemove(of('admin'), own('change_organization_name'))).toBe(false);
    expect(mayChangeRole(of('admin'), own('change_organization_name'), 'member')).toBe(false);
    expect(mayChangeRole(of('owner'), own('change_organization_name'), 'member')).toBe(true);
  });
});
