import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Accounts } from './accounts/accounts.service';
import { Members } from './members/members';
import { MembersController } from './members/members.controller';
import { MembersService } from './members/members.service';
import { MembershipService } from './members/membership.service';
import { Organizations } from './organizations/organizations';
import { OrganizationsController } from './organizations/organizations.controller';
import { OrganizationsService } from './organizations/organizations.service';
import { AccountLocks } from './record/account-locks';
import { OrgMember } from './record/org-member.entity';
import { Organization } from './record/organization.entity';
import { User } from './record/user.entity';

/** Users, organizations and members; a module that injects their services imports it. */
@Module({
  imports: [TypeOrmModule.forFeature([Organization, OrgMember, User])],
  controllers: [OrganizationsController, MembersController],
  providers: [
    AccountLocks,
    Accounts,
    Members,
    MembersService,
    MembershipService,
    Organizations,
    OrganizationsService,
  ],
  exports: [AccountLocks, Accounts, Members, MembershipService, Organizations],
})
export class OrgsModule {}
