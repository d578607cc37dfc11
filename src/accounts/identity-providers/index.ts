export { INSTALLATION_PROVIDER_ID } from './record/identity-provider.entity';
export { IdentityProviders, type KnownProvider, SEALED_CLIENT_SECRETS } from './record/identity-providers';
export { type Claims, nameIn, personOf, saysGroups, timeOf } from './protocol/claims';
export { begunSchema, CodeFlow, type SignedIn } from './protocol/code-flow';
export { LogoutTokens, SIGNATURE_ALGORITHMS } from './protocol/logout-tokens';
export { ProviderClients } from './protocol/provider-clients';
export {
  BACKCHANNEL_LOGOUT_PATH,
  BEGIN_PATH,
  CALLBACK_PATH,
  INSTALLATION,
  pathFor,
} from './protocol/provider-paths';
export { ProviderFetch } from './outbound/provider-fetch';
export { ProviderProblem } from './outbound/provider-problem';
export { SpentTokens } from './protocol/spent-tokens';
export { domainProblem } from './people/domain-rules';
export { OrganizationDomains } from './domains/organization-domains';
export { IdentityProvidersModule } from './identity-providers.module';
export { BoundIdentities } from './management/bound-identities';
export { IdentityTakenError } from './people/people.errors';
export { ProviderNotFoundError } from './management/providers.errors';
export { MAX_SUBJECT } from './record/limits';
export { IdentityTimes, isSignedOut } from './people/identity-times';
export { type ProvidedPerson, ProvisionedPeople, type SettledPerson } from './people/provisioned-people';
