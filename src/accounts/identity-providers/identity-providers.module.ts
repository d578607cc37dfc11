import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeysModule } from '../api-keys';
import { OrgsModule } from '../orgs';
import { ProvisionedPeople } from './people/provisioned-people';
import { IdentityDomain } from './record/identity-domain.entity';
import { IdentityProvider } from './record/identity-provider.entity';
import { IdentityProviders } from './record/identity-providers';
import { SpentToken } from './record/spent-token.entity';
import { UserIdentity } from './record/user-identity.entity';

/** OpenID providers of organizations and of the installation, and the people whom they let in. */
@Module({
  imports: [
    TypeOrmModule.forFeature([IdentityDomain, IdentityProvider, SpentToken, UserIdentity]),
    ApiKeysModule,
    OrgsModule,
  ],
  providers: [IdentityProviders, ProvisionedPeople],
  exports: [IdentityProviders, ProvisionedPeople],
})
export class IdentityProvidersModule {}
