export {
  type ListedOrganization,
  listOrganizations,
  type ListedUser,
  listUsers,
} from './accounts/account-lists.query';
export { Accounts, type Account, type AccountState, type NewUser } from './accounts/accounts.service';
export { AccountErasure, type ErasedAccount } from './accounts/account-erasure';
export { type GivenRole, isSameRole } from './accounts/role-changes';
export { AccountLocks } from './record/account-locks';
export { GivenRoles } from './members/given-roles';
export { LockedStandings } from './standings/locked-standings';
export { MembershipService } from './standings/membership.service';
export { OrgCredentialRulesService } from './credential-rules/credential-rules.service';
export { Members } from './members/members';
export { END_ORGANIZATION, endOrganization, OrganizationEnding } from './ending/organization-ending';
export type { OrganizationEnd } from './ending/organization-ending';
export { OrganizationEndingError } from './ending/ending.errors';
export { OnlyProvider } from './organizations/only-provider';
export { Organizations } from './organizations/organizations';
export { OwnRoles } from './roles/own-roles';
export { OrgsModule } from './orgs.module';
export {
  DeprovisionedError,
  InvalidRoleError,
  LastOwnerErasedError,
  LastOwnerError,
  MemberNotFoundError,
  RankTooLowError,
  ServiceAccountError,
} from './organizations/orgs.errors';
export { OrgPath, OWN_ORGANIZATION, PageQuery } from './organizations/organizations.dto';
export { MemberPath, OwnRoleName } from './members/members.dto';
export { wantedRole, type WantedRole } from './members/members.service';
export { checkedPermissions, requireHeld } from './roles/role-permissions';
export { OWN_ROLE_ID } from './roles/roles.dto';
export { OwnRoleRankError, RoleNotFoundError, RoleNotHeldError } from './roles/roles.errors';
export type { OrgMemberResponse } from './members/members.dto';
export type { OrganizationResponse } from './organizations/organizations.dto';
