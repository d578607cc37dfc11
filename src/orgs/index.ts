export { Accounts, type Account, type NewUser } from './accounts.service';
export { MembershipService } from './membership.service';
export { OrgsModule } from './orgs.module';
