import { Module } from '@nestjs/common';
import { Accounts } from './accounts.service';
import { MembershipService } from './membership.service';

@Module({ providers: [Accounts, MembershipService], exports: [Accounts, MembershipService] })
export class OrgsModule {}
