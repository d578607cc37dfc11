import type { Recorded } from '../../../src/accounts/audit-log/chain/entry';
import { newId } from '../../../src/kernel/common';

/** Something that is recorded. @param fields in place of others */
export function recorded(orgId: string | null, fields: Partial<Recorded> = {}): Recorded {
  return {
    kind: 'audit.recorded',
    org_id: orgId,
    entry_id: newId(),
    at: new Date().toISOString(),
    actor: { kind: 'user', user_id: newId(), key_prefix: null, session: true },
    action: 'changeMemberRole',
    target: { type: 'user', id: newId() },
    changes: [{ table: 'org_members', id: newId(), before: { role: 'member' }, after: { role: 'admin' } }],
    outcome: 'success',
    status: 200,
    code: null,
    request_id: newId(),
    personal: { address: '203.0.113.7', user_agent: 'Mozilla/5.0' },
    ...fields,
  };
}
