export {
  type ListedOrganization,
  listOrganizations,
  type ListedUser,
  listUsers,
} from './accounts/account-lists.query';
export { Accounts, type Account, type AccountState, type NewUser } from './accounts/accounts.service';
export { AccountLocks } from './record/account-locks';
export { MembershipService } from './members/membership.service';
export { Members } from './members/members';
export { Organizations } from './organizations/organizations';
export { OrgsModule } from './orgs.module';
export {
  InvalidRoleError,
  LastOwnerError,
  MemberNotFoundError,
  RankTooLowError,
} from './organizations/orgs.errors';
export { OrgPath, OWN_ORGANIZATION } from './organizations/organizations.dto';
export { MemberPath } from './members/members.dto';
export type { OrgMemberResponse } from './members/members.dto';
export type { OrganizationResponse } from './organizations/organizations.dto';
