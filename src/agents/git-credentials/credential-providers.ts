import { isBelow } from './addresses/git-address';

/** The providers of repositories whose API the service searches with a credential. */
export const CREDENTIAL_PROVIDERS = ['github', 'gitlab', 'bitbucket', 'forgejo', 'azure_devops'] as const;

export type CredentialProvider = (typeof CREDENTIAL_PROVIDERS)[number];

/** The public hosts of the providers. */
export const PUBLIC_HOSTS: Readonly<Record<CredentialProvider, string>> = {
  github: 'github.com',
  gitlab: 'gitlab.com',
  bitbucket: 'bitbucket.org',
  forgejo: 'codeberg.org',
  azure_devops: 'dev.azure.com',
};

/**
 * Whose repositories are at an address: what was said of it, or else what its host is known for; null for neither, and for
 * an address whose escapes are no text.
 */
export function providerOf(address: string, said: CredentialProvider | null): CredentialProvider | null {
  if (!isBelow(address, address)) return null;
  if (said !== null) return said;
  const { host } = new URL(address);
  return CREDENTIAL_PROVIDERS.find((provider) => PUBLIC_HOSTS[provider] === host) ?? null;
}

/** A host as the interface gets it: null for the public one of the provider, with its scheme where that is http. */
export function shownHost(provider: CredentialProvider, address: string): string | null {
  const { host, origin, protocol } = new URL(address);
  if (protocol !== 'https:') return origin;
  return host === PUBLIC_HOSTS[provider] ? null : host;
}
