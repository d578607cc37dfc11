import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AgentSettingsModule } from '../../agents/agent-settings';
import { Accounts } from './accounts/accounts.service';
import { AppSettingsController } from './app-settings/app-settings.controller';
import { AppSettingsService } from './app-settings/app-settings.service';
import { AvailableSkillsController } from './available-skills/available-skills.controller';
import { AvailableSkillsService } from './available-skills/available-skills.service';
import { ComposedMarketplaces } from './app-settings/composed-marketplaces';
import { SkillsModule } from '../../agents/skills';
import { StoredSettings } from './app-settings/stored-settings';
import { CurrentUserController } from './current-user/current-user.controller';
import { CurrentUserService } from './current-user/current-user.service';
import { MembersController } from './members/members.controller';
import { MembersService } from './members/members.service';
import { MembershipService } from './members/membership.service';
import { OrganizationsController } from './organizations/organizations.controller';
import { OrganizationsService } from './organizations/organizations.service';
import { AccountLocks } from './record/account-locks';
import { OrgAppSettingsRow, UserAppSettingsRow, UserOrgAppSettingsRow } from './record/app-settings.entity';
import { OrgMember } from './record/org-member.entity';
import { Organization } from './record/organization.entity';
import { User } from './record/user.entity';

const ENTITIES = [
  Organization,
  OrgAppSettingsRow,
  OrgMember,
  User,
  UserAppSettingsRow,
  UserOrgAppSettingsRow,
];

@Module({
  imports: [AgentSettingsModule, SkillsModule, TypeOrmModule.forFeature(ENTITIES)],
  // The settings first: `/organizations/app` is not an organization's id.
  controllers: [
    AppSettingsController,
    OrganizationsController,
    MembersController,
    CurrentUserController,
    AvailableSkillsController,
  ],
  providers: [
    AccountLocks,
    Accounts,
    AppSettingsService,
    AvailableSkillsService,
    ComposedMarketplaces,
    CurrentUserService,
    MembersService,
    MembershipService,
    OrganizationsService,
    StoredSettings,
  ],
  exports: [AccountLocks, Accounts, ComposedMarketplaces, MembershipService],
})
export class OrgsModule {}
