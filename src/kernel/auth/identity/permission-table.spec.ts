import { PermissionTable } from './permission-table';

describe('permissions of extensions', () => {
  const table = new PermissionTable({ 'acme:manage_notes': 'admin', 'acme:read_notes': 'member' });

  it('are held by the lowest role that is named, and by all above it', () => {
    expect(table.of('member')).toContain('acme:read_notes');
    expect(table.of('member')).not.toContain('acme:manage_notes');
    for (const role of ['admin', 'owner'] as const) expect(table.has(role, 'acme:manage_notes')).toBe(true);
    expect(table.has('member', 'acme:manage_notes')).toBe(false);
  });

  it('come after those of the service', () => {
    expect(table.of('owner').slice(-2)).toEqual(['acme:manage_notes', 'acme:read_notes']);
    expect(table.has('member', 'edit_org_settings')).toBe(false);
  });

  it('are held by nobody when they are unknown', () => {
    expect(table.has('owner', 'acme:other')).toBe(false);
    expect([table.isKnown('acme:other'), table.isKnown('acme:read_notes')]).toEqual([false, true]);
  });
});
