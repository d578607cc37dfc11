import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeysModule } from '../api-keys';
import { OrgsModule } from '../orgs';
import { ServiceAccount } from './service-account.entity';
import { ServiceAccountKeys } from './service-account-keys';
import { ServiceAccountKeysController } from './service-account-keys.controller';
import { ServiceAccountsController } from './service-accounts.controller';
import { ServiceAccounts } from './service-accounts.service';

/** Users of an organization that are no people: made, changed, given keys. */
@Module({
  imports: [TypeOrmModule.forFeature([ServiceAccount]), ApiKeysModule, OrgsModule],
  controllers: [ServiceAccountsController, ServiceAccountKeysController],
  providers: [ServiceAccounts, ServiceAccountKeys],
})
export class ServiceAccountsModule {}
