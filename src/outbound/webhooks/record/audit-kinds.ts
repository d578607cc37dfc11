import {
  type Caller,
  type OrgContext,
  type Permission,
  requirePermission,
  requireScope,
} from '../../../kernel/auth';

/** What rows of the audit log are sent as: whoever wants them names them, and `*` stands for all others. */
const PREFIX = 'audit.';

/** What it takes to have them sent, beside managing webhooks. */
const PERMISSION: readonly Permission[] = ['view_audit_log'];

/** Whether a kind is one of the audit log, or all of them. */
export function isOfAuditLog(kind: string): boolean {
  return kind.startsWith(PREFIX);
}

/**
 * Has what concerns the audit log done by those alone who may read it.
 * @param kinds of a webhook, or of what was sent
 * @throws KeyScopeError, PermissionDeniedError
 */
export function requireAuditLog(caller: Caller, org: OrgContext, kinds: readonly string[]): void {
  if (!kinds.some(isOfAuditLog)) return;
  requireScope(PERMISSION, caller);
  requirePermission(PERMISSION, org);
}
