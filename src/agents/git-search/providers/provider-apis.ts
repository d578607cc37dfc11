import type { CredentialProvider } from '../../git-credentials';
import { AzureDevOps } from './azure-devops';
import { Bitbucket } from './bitbucket';
import { Forgejo } from './forgejo';
import { GitHub } from './github';
import { GitLab } from './gitlab';
import type { ProviderApi } from './provider-api';

/** The API of each provider. */
export const PROVIDER_APIS: Readonly<Record<CredentialProvider, ProviderApi>> = {
  github: new GitHub(),
  gitlab: new GitLab(),
  bitbucket: new Bitbucket(),
  forgejo: new Forgejo(),
  azure_devops: new AzureDevOps(),
};
