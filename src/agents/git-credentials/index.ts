export {
  type ExemptHosts,
  GitAddressProblem,
  isBelow,
  portOf,
  readFetchedAddress,
  readGitAddress,
} from './addresses/git-address';
export { type ProviderPlace, repositoryAddress } from './addresses/repository-address';
export { credentialProblem } from './credential-rules';
export { CREDENTIAL_PROVIDERS, type CredentialProvider, PUBLIC_HOSTS } from './credential-providers';
export { GitCredentialsModule } from './git-credentials.module';
export {
  GitCredentialsRepository,
  type OpenedCredential,
  SEALED_GIT_PASSWORDS,
} from './git-credentials.repository';
export { GitCredentialsService } from './git-credentials.service';
export type { GitCredential } from './operations/git-credentials.dto';
export { ProviderCredentials } from './provider-credentials';
