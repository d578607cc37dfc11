import { Module } from '@nestjs/common';
import { Accounts } from './accounts.service';
import { MembersController } from './members.controller';
import { MembersService } from './members.service';
import { MembershipService } from './membership.service';
import { OrganizationsController } from './organizations.controller';
import { OrganizationsService } from './organizations.service';

@Module({
  controllers: [OrganizationsController, MembersController],
  providers: [Accounts, MembersService, MembershipService, OrganizationsService],
  exports: [Accounts, MembershipService],
})
export class OrgsModule {}
