import { KeyScopeError, PermissionDeniedError } from '../identity/auth.errors';
import type { Permission, Standing } from '../identity/permissions';
import type { Caller } from '../identity/principal';
import type { RouteScope } from './access';

/** @throws KeyScopeError for a key that can do less, and not this */
export function requireScope(scope: RouteScope, { scopes }: Pick<Caller, 'scopes'>): void {
  if (scopes !== null && !isAllowed(scope, scopes)) throw new KeyScopeError(scope === 'any' ? [] : scope);
}

/** @throws PermissionDeniedError for a role that permits none of what would do */
export function requirePermission(scope: RouteScope, { permissions }: Pick<Standing, 'permissions'>): void {
  const [needed] = scope === 'any' ? [] : scope;
  if (needed !== undefined && !isAllowed(scope, permissions)) throw new PermissionDeniedError(needed);
}

function isAllowed(scope: RouteScope, held: ReadonlySet<Permission>): boolean {
  return scope === 'any' || scope.some((permission) => held.has(permission));
}
