export {
  Access,
  Public,
  ROUTE_ACCESS,
  SandboxAccess,
  SECURITY_SCHEMES,
  type OrgSource,
  type RouteAccess,
} from './access';
export { AuthCaches } from './auth-caches';
export { AuthModule } from './auth.module';
export { Authentication } from './authentication';
export {
  KeyBoundElsewhereError,
  NotAMemberError,
  PermissionDeniedError,
  UnauthenticatedError,
  UnknownOrganizationError,
} from './auth.errors';
export { CurrentCaller, CurrentOrg, CurrentSandbox, requestIdentity, setIdentity } from './current';
export { OrgResolution } from './org-resolution';
export { holds, outranks, parseRole, permissionsOf, ROLES, type Permission, type Role } from './permissions';
export { CredentialVerifier, MembershipReader, SandboxCredentialVerifier, type VerifiedKey } from './ports';
export type { Caller, OrgContext, SandboxCaller } from './principal';
