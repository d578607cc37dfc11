export {
  type GroupRole,
  IdentityProvider,
  INSTALLATION_PROVIDER_ID,
} from './record/identity-provider.entity';
export { IdentityProviders, SEALED_CLIENT_SECRETS } from './record/identity-providers';
export { IdentityProvidersModule } from './identity-providers.module';
export { type ProvidedPerson, ProvisionedPeople, type SettledPerson } from './people/provisioned-people';
