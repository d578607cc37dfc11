export {
  Access,
  Public,
  ROUTE_ACCESS,
  SandboxAccess,
  ServiceAccess,
  SECURITY_SCHEMES,
  type OrgSource,
  type RouteAccess,
} from './access/access';
export { KEPT_FOR_USER, KeptForUser, requireOwnSignIn } from './access/kept-for-user';
export {
  CHANGES_CREDENTIALS,
  type ChangesCredentials,
  RecentSignIn,
  requireRecentSignIn,
} from './access/recent-sign-in';
export { AuthCaches } from './credentials/auth-caches';
export { AuthModule } from './auth.module';
export { type Grant, StandingAccess, type WhyEnded } from './credentials/standing-access';
export { Authentication, type KeyHolder, isOwnPage } from './credentials/authentication';
export {
  CredentialVerifiers,
  type ExternalVerifier,
  type VerifierAnswer,
  type VerifiedPerson,
} from './credentials/credential-verifiers';
export { ticketSubject } from './credentials/ticket-subject';
export {
  endedSessionCookie,
  sessionCookie,
  sessionToken,
  isCallOfSandbox,
  noteCallsOfSandbox,
  userOfSandbox,
} from './credentials/session-cookie';
export {
  ContradictingSelectorsError,
  CredentialVerifierUnavailableError,
  InvalidSelectorError,
  KeptByLinkError,
  KeyBoundElsewhereError,
  NoCurrentOrganizationError,
  NotAMemberError,
  PermissionDeniedError,
  ServiceAccessOffError,
  SignedInByLinkError,
  SignInAgainError,
  UnauthenticatedError,
  UnknownOrganizationError,
} from './identity/auth.errors';
export {
  CurrentCaller,
  CurrentOrg,
  CurrentSandbox,
  parameterMisfit,
  PresentedSessionKey,
  isIdentified,
  requestIdentity,
  setIdentity,
  type RequestIdentity,
} from './access/current-user.decorators';
export { Actors } from './access/actors';
export { OrgResolution, type ResourceAsker } from './access/org-resolution';
export {
  isOfService,
  roleHasPermission,
  outranks,
  parseRole,
  permissionsOf,
  ROLES,
  type ExtensionPermission,
  type LowestRoles,
  type Permission,
  type Role,
} from './identity/permissions';
export { Actor, type Asker, ServiceActor, UserActor } from './identity/actor';
export { PermissionTable } from './identity/permission-table';
export {
  CredentialVerifier,
  type Member,
  type Membership,
  MembershipReader,
  type RequestHeaders,
  SandboxCredentialVerifier,
  SessionVerifier,
  type TicketMaker,
  TicketRedeemer,
  type VerifiedKey,
} from './identity/ports';
export { mayEnter, ownerOf, personOf } from './identity/principal';
export type { Caller, OrgContext, SandboxCaller } from './identity/principal';
