import { Injectable } from '@nestjs/common';
import { Clock, isRecord } from '../../kernel/common';
import { type KnownProvider, ProviderClients, ProviderFetch } from '../identity-providers';
import { Introspection } from './introspection';
import type { JSONWebKeySet, Jose } from './jwt/jose';
import { KeySet } from './jwt/key-set';
import type { TokenClaims, TokenRefusal } from './token-claims';

/** Of the providers that tokens came of last. */
const MAX_KEY_SETS = 1_000;

/** What providers are asked about tokens: their keys, and whether an opaque one counts. */
@Injectable()
export class ProviderQuestions {
  private readonly keySets = new Map<string, KeySet>();
  private readonly introspection: Introspection;

  constructor(
    private readonly clients: ProviderClients,
    private readonly fetch: ProviderFetch,
    private readonly clock: Clock,
  ) {
    this.introspection = new Introspection(clock, async (provider, token) => {
      const { library, configuration } = await this.clients.of(provider);
      return library.tokenIntrospection(configuration, token, { token_type_hint: 'access_token' });
    });
  }

  /**
   * What a provider says of an opaque token.
   * @returns its claims, or why it does not count
   * @throws CredentialVerifierUnavailableError
   */
  claimsOf(provider: KnownProvider, token: string): Promise<TokenClaims | TokenRefusal> {
    return this.introspection.claimsOf(provider, token);
  }

  /** The published keys of a provider. */
  keysOf(jose: Jose, provider: KnownProvider): KeySet {
    const name = `${provider.id} ${provider.issuer}`;
    const known = this.keySets.get(name);
    if (known !== undefined) return known;
    const [oldest] = this.keySets.keys();
    if (oldest !== undefined && this.keySets.size >= MAX_KEY_SETS) this.keySets.delete(oldest);
    const keys = new KeySet(jose, this.clock, () => this.readKeys(provider));
    this.keySets.set(name, keys);
    return keys;
  }

  private async readKeys(provider: KnownProvider): Promise<JSONWebKeySet> {
    const { configuration } = await this.clients.of(provider);
    const address = configuration.serverMetadata().jwks_uri ?? '';
    const answer = await this.fetch.fetchKeys(address, {
      method: 'GET',
      headers: { accept: 'application/json' },
    });
    const set: unknown = await answer.json();
    if (!isKeySet(set)) throw new Error('The provider does not answer with keys.');
    return set;
  }
}

/** The library looks at the keys themselves. */
function isKeySet(value: unknown): value is JSONWebKeySet {
  return isRecord(value) && Array.isArray(value['keys']) && value['keys'].every(isRecord);
}
