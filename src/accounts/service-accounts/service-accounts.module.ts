import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeysModule } from '../api-keys';
import { IdentityProvidersModule } from '../identity-providers';
import { OrgsModule } from '../orgs';
import { ServiceAccount } from './service-account.entity';
import { ServiceAccountIdentities } from './service-account-identities';
import { ServiceAccountIdentitiesController } from './service-account-identities.controller';
import { ServiceAccountKeys } from './service-account-keys';
import { ServiceAccountKeysController } from './service-account-keys.controller';
import { ServiceAccountsController } from './service-accounts.controller';
import { ServiceAccounts } from './service-accounts.service';

/** Users of an organization that are no people: made, changed, given keys and identities. */
@Module({
  imports: [TypeOrmModule.forFeature([ServiceAccount]), ApiKeysModule, IdentityProvidersModule, OrgsModule],
  controllers: [ServiceAccountsController, ServiceAccountKeysController, ServiceAccountIdentitiesController],
  providers: [ServiceAccounts, ServiceAccountKeys, ServiceAccountIdentities],
})
export class ServiceAccountsModule {}
