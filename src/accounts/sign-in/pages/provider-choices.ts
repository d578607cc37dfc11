import { Injectable } from '@nestjs/common';
import { BEGIN_PATH, IdentityProviders, OrganizationDomains, pathFor } from '../../identity-providers';
import { parseUuid } from '../../../kernel/common';

/** A provider as the sign-in page offers it. */
export interface ProviderChoice {
  readonly name: string;
  /** Where it leads: whoever owns an organization chooses the name, and a link shows anybody the providers of any organization. */
  readonly host: string;
  /** Below the base path of the service. */
  readonly path: string;
}

/** What the sign-in page offers of providers of identities. */
export interface ProviderChoices {
  readonly providers: readonly ProviderChoice[];
  /** Whether somebody may enter a mail address to find the provider of its domain. */
  readonly byAddress: boolean;
  /** Whether one of them is of the organization that was wanted. */
  readonly isFound: boolean;
}

/** Which organization's providers are wanted beside that of the installation. */
export interface WantedProviders {
  /** The id of the organization, as a link has it. */
  readonly org?: string;
  /** A mail address. */
  readonly email?: string;
}

/** Finds the providers with which somebody may sign in. Whether there is an account, or an organization, it does not tell. */
@Injectable()
export class ProviderChoicesOf {
  constructor(
    private readonly providers: IdentityProviders,
    private readonly domains: OrganizationDomains,
  ) {}

  /** What the sign-in page offers. */
  async find({ org = '', email = '' }: WantedProviders = {}): Promise<ProviderChoices> {
    const installation = await this.providers.installation();
    const orgId = parseUuid(org) ?? (email === '' ? null : await this.domains.ownerOfAddress(email));
    const ofOrganization = orgId === null ? [] : await this.providers.ofOrganization(orgId);
    const offered = [installation ?? [], ofOrganization].flat();
    return {
      providers: offered.map((provider) => ({
        name: provider.name,
        host: new URL(provider.issuer).host,
        path: pathFor(BEGIN_PATH, provider),
      })),
      byAddress: await this.providers.anyOfOrganizations(),
      isFound: ofOrganization.length > 0,
    };
  }
}
