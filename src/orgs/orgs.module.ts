import { Module } from '@nestjs/common';
import { Accounts } from './accounts.service';
import { AppSettingsController } from './app-settings.controller';
import { AppSettingsService } from './app-settings.service';
import { ComposedMarketplaces } from './composed-marketplaces';
import { CurrentUserController } from './current-user.controller';
import { CurrentUserService } from './current-user.service';
import { MembersController } from './members.controller';
import { MembersService } from './members.service';
import { MembershipService } from './membership.service';
import { OrganizationsController } from './organizations.controller';
import { OrganizationsService } from './organizations.service';

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
