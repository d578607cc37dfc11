export { MembershipService } from './membership.service';
export { OrgsModule } from './orgs.module';
