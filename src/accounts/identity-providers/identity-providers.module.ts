import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeysModule } from '../api-keys';
import { OrgsModule } from '../orgs';
import { PersonalDataModule } from '../personal-data';
import { HostLookup, SystemHostLookup } from '../../kernel/common';
import { ProviderFetch } from './outbound/provider-fetch';
import { CodeFlow } from './protocol/code-flow';
import { LogoutTokens } from './protocol/logout-tokens';
import { ProviderClients } from './protocol/provider-clients';
import { SpentTokens } from './protocol/spent-tokens';
import { DomainNames } from './domains/domain-names';
import { DomainsController } from './domains/domains.controller';
import { DomainsService } from './domains/domains.service';
import { OrganizationDomains } from './domains/organization-domains';
import { ProviderBodies } from './management/provider-bodies';
import { ProvidersController } from './management/providers.controller';
import { ProvidersService } from './management/providers.service';
import { BoundIdentities } from './management/bound-identities';
import { FormerMembersIdentities } from './people/former-members-identities';
import { IdentityTimes } from './people/identity-times';
import { PersonalIdentities } from './people/personal-identities';
import { ProvisionedPeople } from './people/provisioned-people';
import { EndedIdentity } from './record/ended-identity.entity';
import { IdentityDomain } from './record/identity-domain.entity';
import { IdentityProvider } from './record/identity-provider.entity';
import { IdentityProviders } from './record/identity-providers';
import { NewPeopleOfHour } from './record/new-people.entity';
import { SpentToken } from './record/spent-token.entity';
import { UserIdentity } from './record/user-identity.entity';

/** OpenID providers of organizations and of the installation, and the people whom they let in. */
@Module({
  imports: [
    TypeOrmModule.forFeature([
      EndedIdentity,
      IdentityDomain,
      IdentityProvider,
      NewPeopleOfHour,
      SpentToken,
      UserIdentity,
    ]),
    ApiKeysModule,
    OrgsModule,
    PersonalDataModule,
  ],
  controllers: [DomainsController, ProvidersController],
  providers: [
    { provide: HostLookup, useClass: SystemHostLookup },
    BoundIdentities,
    CodeFlow,
    DomainNames,
    DomainsService,
    FormerMembersIdentities,
    IdentityProviders,
    IdentityTimes,
    LogoutTokens,
    PersonalIdentities,
    ProviderBodies,
    ProviderClients,
    OrganizationDomains,
    ProviderFetch,
    ProvidersService,
    ProvisionedPeople,
    SpentTokens,
  ],
  exports: [
    BoundIdentities,
    CodeFlow,
    IdentityProviders,
    IdentityTimes,
    LogoutTokens,
    OrganizationDomains,
    ProviderClients,
    ProviderFetch,
    ProvisionedPeople,
    SpentTokens,
  ],
})
export class IdentityProvidersModule {}
