/** The providers of repositories whose API the service searches with a credential. */
export declare const CREDENTIAL_PROVIDERS: readonly ["github", "gitlab", "bitbucket", "forgejo", "azure_devops"];
export type CredentialProvider = (typeof CREDENTIAL_PROVIDERS)[number];
/** The public hosts of the providers. */
export declare const PUBLIC_HOSTS: Readonly<Record<CredentialProvider, string>>;
/** Whose repositories are at an address: what was said of it, or else what its host is known for; null for neither. */
export declare function providerOf(address: string, said: CredentialProvider | null): CredentialProvider | null;
/** How the interface is told of a host: null for the public one of the provider, with its scheme where that is http. */
export declare function shownHost(provider: CredentialProvider, address: string): string | null;
