export { Accounts, type Account, type NewUser } from './accounts.service';
export { ComposedMarketplaces, type ConversationDefaults } from './composed-marketplaces';
export { MembershipService } from './membership.service';
export { OrgsModule } from './orgs.module';
export { InvalidRoleError } from './orgs.errors';
export type { ScopedRegistration } from './registrations';
