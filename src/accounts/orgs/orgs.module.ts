import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PersonalDataModule } from '../personal-data';
import { AccountErasure } from './accounts/account-erasure';
import { Accounts } from './accounts/accounts.service';
import { EndingController } from './ending/ending.controller';
import { OrganizationDeletion } from './ending/organization-deletion';
import { OrganizationEnding } from './ending/organization-ending';
import { GivenRoles } from './members/given-roles';
import { LockedStandings } from './standings/locked-standings';
import { CredentialRulesController } from './credential-rules/credential-rules.controller';
import { OrgCredentialRulesService } from './credential-rules/credential-rules.service';
import { Members } from './members/members';
import { MembersController } from './members/members.controller';
import { MembersService } from './members/members.service';
import { MembershipService } from './standings/membership.service';
import { Organizations } from './organizations/organizations';
import { OnlyProvider } from './organizations/only-provider';
import { OrganizationsController } from './organizations/organizations.controller';
import { OrganizationsService } from './organizations/organizations.service';
import { AccountLocks } from './record/account-locks';
import { OrgCredentialRules } from './record/org-credential-rules.entity';
import { OrgMember } from './record/org-member.entity';
import { OrgRole } from './record/org-role.entity';
import { Organization } from './record/organization.entity';
import { User } from './record/user.entity';
import { OwnRoles } from './roles/own-roles';
import { RolesController } from './roles/roles.controller';

/** Users, organizations and members; a module that injects their services imports it. */
@Module({
  imports: [
    PersonalDataModule,
    TypeOrmModule.forFeature([Organization, OrgCredentialRules, OrgMember, OrgRole, User]),
  ],
  controllers: [
    OrganizationsController,
    EndingController,
    MembersController,
    CredentialRulesController,
    RolesController,
  ],
  providers: [
    AccountErasure,
    AccountLocks,
    Accounts,
    GivenRoles,
    LockedStandings,
    Members,
    MembersService,
    MembershipService,
    Organizations,
    OrganizationsService,
    OrganizationDeletion,
    OrganizationEnding,
    OnlyProvider,
    OrgCredentialRulesService,
    OwnRoles,
  ],
  exports: [
    AccountErasure,
    AccountLocks,
    Accounts,
    GivenRoles,
    LockedStandings,
    Members,
    MembershipService,
    OnlyProvider,
    OrgCredentialRulesService,
    Organizations,
    OwnRoles,
  ],
})
export class OrgsModule {}
