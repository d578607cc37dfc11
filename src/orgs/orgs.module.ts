import { Module } from '@nestjs/common';
import { Accounts } from './accounts/accounts.service';
import { AppSettingsController } from './app-settings/app-settings.controller';
import { AppSettingsService } from './app-settings/app-settings.service';
import { ComposedMarketplaces } from './app-settings/composed-marketplaces';
import { CurrentUserController } from './current-user/current-user.controller';
import { CurrentUserService } from './current-user/current-user.service';
import { MembersController } from './members/members.controller';
import { MembersService } from './members/members.service';
import { MembershipService } from './members/membership.service';
import { OrganizationsController } from './organizations/organizations.controller';
import { OrganizationsService } from './organizations/organizations.service';

@Module({
  // The settings first: `/organizations/app` is not an organization's id.
  controllers: [AppSettingsController, OrganizationsController, MembersController, CurrentUserController],
  providers: [
    Accounts,
    AppSettingsService,
    ComposedMarketplaces,
    CurrentUserService,
    MembersService,
    MembershipService,
    OrganizationsService,
  ],
  exports: [Accounts, ComposedMarketplaces, MembershipService],
})
export class OrgsModule {}
