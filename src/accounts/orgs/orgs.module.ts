import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Accounts } from './accounts/accounts.service';
import { CredentialRulesController } from './credential-rules/credential-rules.controller';
import { OrgCredentialRulesService } from './credential-rules/credential-rules.service';
import { Members } from './members/members';
import { MembersController } from './members/members.controller';
import { MembersService } from './members/members.service';
import { MembershipService } from './members/membership.service';
import { Organizations } from './organizations/organizations';
import { OrganizationsController } from './organizations/organizations.controller';
import { OrganizationsService } from './organizations/organizations.service';
import { AccountLocks } from './record/account-locks';
import { OrgCredentialRules } from './record/org-credential-rules.entity';
import { OrgMember } from './record/org-member.entity';
import { OrgRole } from './record/org-role.entity';
import { Organization } from './record/organization.entity';
import { User } from './record/user.entity';

/** Users, organizations and members; a module that injects their services imports it. */
@Module({
  imports: [TypeOrmModule.forFeature([Organization, OrgCredentialRules, OrgMember, OrgRole, User])],
  controllers: [OrganizationsController, MembersController, CredentialRulesController],
  providers: [
    AccountLocks,
    Accounts,
    Members,
    MembersService,
    MembershipService,
    Organizations,
    OrganizationsService,
    OrgCredentialRulesService,
  ],
  exports: [AccountLocks, Accounts, Members, MembershipService, OrgCredentialRulesService, Organizations],
})
export class OrgsModule {}
