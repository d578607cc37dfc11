import { Injectable } from '@nestjs/common';
import {
  type KnownProvider,
  IdentityProviders,
  INSTALLATION,
  INSTALLATION_PROVIDER_ID,
} from '../../identity-providers';
import { appError, parseUuid } from '../../../kernel/common';

/** 404: nobody signs in with such a provider. */
export const NoSuchProviderError = appError(
  404,
  'identity_provider_not_found',
  'There is no such provider to sign in with.',
);

/** Providers of identities by their names in paths. */
@Injectable()
export class NamedProviders {
  constructor(private readonly providers: IdentityProviders) {}

  /** @throws NoSuchProviderError */
  async find(name: string): Promise<KnownProvider> {
    const id = name === INSTALLATION ? INSTALLATION_PROVIDER_ID : parseUuid(name);
    const provider = id === null ? null : await this.providers.find(id);
    if (provider === null) throw new NoSuchProviderError();
    return provider;
  }
}
