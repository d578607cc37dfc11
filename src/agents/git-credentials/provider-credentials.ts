import { Injectable } from '@nestjs/common';
import { nearestFirst, ownersFor, type Person } from '../../kernel/common';
import type { ProviderPlace } from './addresses/repository-address';
import { type CredentialProvider, shownHost } from './credential-providers';
import { GitCredentialsRepository, type OpenedCredential } from './git-credentials.repository';

/**
 * Which host a provider has for a person, and with what it is searched (docs/contract.md#git-searches). The nearest of
 * their credentials for a provider says where it is: `owner/repo` can mean one place only.
 */
@Injectable()
export class ProviderCredentials {
  constructor(private readonly credentials: GitCredentialsRepository) {}

  /** Each provider that there is a credential for, with its host; null for its public one. */
  async hosts(person: Person): Promise<Partial<Record<CredentialProvider, string | null>>> {
    const addresses = await this.addresses(person);
    return Object.fromEntries(
      [...addresses].map(([provider, address]) => [provider, shownHost(provider, address)]),
    );
  }

  /** The hosts that short names of repositories refer to for a person. */
  async placeOf(person: Person, provider: string | null): Promise<ProviderPlace> {
    return { provider, connections: provider === null ? [] : await this.connections(person, provider) };
  }

  /** The addresses of the credentials for a provider at its host, the nearest first. */
  private async connections(person: Person, provider: string): Promise<string[]> {
    const kept = (await this.credentials.of(ownersFor(person))).sort(nearestFirst);
    const addresses = kept.flatMap((one) => (one.provider === provider ? [one.urlPrefix] : []));
    const origins = addresses.map((address) => new URL(address).origin);
    return addresses.filter((_, index) => origins[index] === origins[0]);
  }

  /** The credentials for a provider at its host, the nearest first. */
  async forSearch(person: Person, provider: CredentialProvider): Promise<readonly OpenedCredential[]> {
    const opened = await this.credentials.opened(ownersFor(person));
    const [nearest, ...others] = opened.filter((credential) => credential.provider === provider);
    if (nearest === undefined) return [];
    const { origin } = new URL(nearest.url_prefix);
    return [nearest, ...others.filter(({ url_prefix: address }) => new URL(address).origin === origin)];
  }

  private async addresses(person: Person): Promise<Map<CredentialProvider, string>> {
    const found = new Map<CredentialProvider, string>();
    for (const { provider, urlPrefix } of (await this.credentials.of(ownersFor(person))).sort(nearestFirst))
      if (provider !== null && !found.has(provider)) found.set(provider, urlPrefix);
    return found;
  }
}
