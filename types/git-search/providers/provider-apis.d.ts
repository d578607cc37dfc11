import type { CredentialProvider } from '../../git-credentials';
import type { ProviderApi } from './provider-api';
/** The API of each provider. */
export declare const PROVIDER_APIS: Readonly<Record<CredentialProvider, ProviderApi>>;
