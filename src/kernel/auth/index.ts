export {
  Access,
  DirectoryAccess,
  Public,
  READING_SCOPES,
  ROUTE_ACCESS,
  SandboxAccess,
  ServiceAccess,
  SECURITY_SCHEMES,
  type OrgSource,
  type RouteScope,
  type RouteAccess,
} from './access/access';
export { KEPT_FOR_USER, KeptForUser, requireOwnSignIn } from './access/kept-for-user';
export {
  CHANGES_CREDENTIALS,
  type ChangesCredentials,
  isRecentSignIn,
  RECENT_SIGN_IN_SECONDS,
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
export { clientAddress, noteAddress } from './credentials/client-address';
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
  KeyScopeError,
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
  CurrentDirectory,
  CurrentOrg,
  CurrentSandbox,
  parameterMisfit,
  PresentedSessionKey,
  isIdentified,
  requestIdentity,
  setIdentity,
  type RequestIdentity,
} from './access/current-user.decorators';
export { requirePermission, requireScope } from './access/required-scope';
export { Actors } from './access/actors';
export { noteOrganization, notedOrganization } from './access/noted-organization';
export { OrgResolution, type ResourceAsker } from './access/org-resolution';
export {
  isOfService,
  MAX_SCOPES,
  lacking,
  mayActAs,
  toGive,
  ofServiceAccount,
  roleHasPermission,
  outranks,
  parseRole,
  permissionsOf,
  ROLES,
  type CredentialRules,
  type ExtensionPermission,
  type LowestRoles,
  type Permission,
  type Role,
  type Standing,
} from './identity/permissions';
export { AddressRangeInvalidError, AddressRanges, MAX_ADDRESS_RANGES } from './identity/address-ranges';
export { assertAccepted, CredentialNotAcceptedError, whyNotAccepted } from './identity/credential-rules';
export { Actor, type Asker, ServiceActor, UserActor } from './identity/actor';
export { PermissionTable } from './identity/permission-table';
export {
  CredentialVerifier,
  DirectoryCredentialVerifier,
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
export { OF_SANDBOX, ProviderRequiredError } from './identity/credential-rules';
export { kindOf, mayEnter, ownerOf, personOf, USER_KINDS } from './identity/principal';
export type {
  Caller,
  DirectoryCaller,
  OrgContext,
  OwnKey,
  RuledCredential,
  SandboxCaller,
  UserKind,
} from './identity/principal';
