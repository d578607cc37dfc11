import { Injectable } from '@nestjs/common';
import type { RemoteJWKSet } from 'jose' with { 'resolution-mode': 'import' };
import type * as OpenId from 'openid-client' with { 'resolution-mode': 'import' };
import { Clock, jsonBytes, TtlCache } from '../../../kernel/common';
import { ProviderFetch } from '../outbound/provider-fetch';
import { ProviderProblem } from '../outbound/provider-problem';
import type { IdentityProvider } from '../record/identity-provider.entity';
import { IdentityProviders } from '../record/identity-providers';
import { problemOfError } from './protocol-problems';

/** How long what a provider says of itself is taken without asking again. */
const METADATA_MS = 600_000;
/** One that fails is not asked again at once, however many want to sign in: anybody may, and owners say where it is. */
const FAILED_MS = 2_000;
const MAX_ENTRIES = 200;
const TIMEOUT_SECONDS = 5;
/** Keys that are not there are asked for again after this time at the earliest. */
const KEYS_COOL_DOWN_MS = 30_000;
const KEYS_MS = 600_000;

/** All that is read of what a provider says of itself. */
const KEPT = [
  'issuer',
  'authorization_endpoint',
  'token_endpoint',
  'userinfo_endpoint',
  'introspection_endpoint',
  'jwks_uri',
  'authorization_response_iss_parameter_supported',
  'token_endpoint_auth_methods_supported',
  'id_token_signing_alg_values_supported',
  'userinfo_signing_alg_values_supported',
  'introspection_signing_alg_values_supported',
  'authorization_signing_alg_values_supported',
];
const MAX_KEPT_BYTES = 16_384;

/** A provider as it describes itself, and the service as its client. */
export interface ProviderClient {
  readonly library: typeof OpenId;
  readonly configuration: OpenId.Configuration;
  /** Finds the key of a token; unknown ones are asked for at most twice a minute. */
  readonly keys: RemoteJWKSet;
}

/** What became of asking a provider in vain. */
class FailedDiscovery {
  constructor(
    readonly error: unknown,
    readonly at: number,
  ) {}
}

/** The ways to providers of identities: found by discovery when they are first needed, and kept for ten minutes. */
@Injectable()
export class ProviderClients {
  private readonly cache: TtlCache<ProviderClient | FailedDiscovery>;

  constructor(
    private readonly fetch: ProviderFetch,
    private readonly providers: IdentityProviders,
    private readonly clock: Clock,
  ) {
    this.cache = new TtlCache(clock, METADATA_MS, MAX_ENTRIES);
  }

  /** @throws ProviderProblem where it cannot be asked, or is not the issuer */
  async of(provider: IdentityProvider): Promise<ProviderClient> {
    const version = `${provider.id} ${provider.updatedAt.getTime()}`;
    const found = await this.cache.get(version, () =>
      this.discover(provider).catch((error: unknown) => new FailedDiscovery(error, this.clock.monotonicMs())),
    );
    if (!(found instanceof FailedDiscovery)) return found;
    if (this.clock.monotonicMs() - found.at >= FAILED_MS) this.cache.delete(version);
    throw found.error;
  }

  /** Asks a provider now for all that a sign-in needs of it. @throws ProviderProblem */
  async test(provider: IdentityProvider): Promise<void> {
    const { keys } = await this.discover(provider);
    try {
      await keys.reload();
    } catch (error) {
      throw problemOfError(error, 'its keys cannot be read');
    }
  }

  /** As {@link of}, asked now. @throws ProviderProblem */
  private async discover(provider: IdentityProvider): Promise<ProviderClient> {
    const secret = this.providers.clientSecretOf(provider);
    // Loaded with the first provider: both are modules of ECMAScript, which most installations never need.
    const [library, jose] = await Promise.all([import('openid-client'), import('jose')]);
    const fetch: OpenId.CustomFetch = (url, options) => this.fetch.fetch(url, options);
    try {
      const found = await library.discovery(
        new URL(provider.issuer),
        provider.clientId,
        undefined,
        library.None(),
        {
          [library.customFetch]: fetch,
          timeout: TIMEOUT_SECONDS,
          // Which hosts may do without is decided by `ProviderFetch`.
          execute: [library.allowInsecureRequests],
        },
      );
      const metadata = keptOf(found.serverMetadata());
      this.check(provider, metadata);
      const configuration = new library.Configuration(
        metadata,
        provider.clientId,
        undefined,
        authenticationOf(library, metadata, secret),
      );
      const keysAddress = new URL(metadata.jwks_uri ?? '');
      const fetchKeys: OpenId.CustomFetch = (url, options) => this.fetch.fetchKeys(url, options);
      configuration[library.customFetch] = (url, options) =>
        url === keysAddress.href ? fetchKeys(url, options) : fetch(url, options);
      configuration.timeout = TIMEOUT_SECONDS;
      library.allowInsecureRequests(configuration);
      library.enableNonRepudiationChecks(configuration);
      const keys = jose.createRemoteJWKSet(keysAddress, {
        [jose.customFetch]: (url, options) => this.fetch.fetchKeys(url, options),
        timeoutDuration: TIMEOUT_SECONDS * 1_000,
        cooldownDuration: KEYS_COOL_DOWN_MS,
        cacheMaxAge: KEYS_MS,
      });
      return { library, configuration, keys };
    } catch (error) {
      throw problemOfError(error);
    }
  }

  /** @throws ProviderProblem for what a provider says of itself with which nobody can sign in */
  private check({ issuer }: IdentityProvider, metadata: OpenId.ServerMetadata): void {
    // Letter by letter: one for several tenants would let in the people of all of them.
    if (metadata.issuer !== issuer)
      throw new ProviderProblem('its discovery document names another issuer than the one that was entered');
    for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const) {
      const address = metadata[name];
      if (address === undefined) throw new ProviderProblem(`its discovery document has no ${name}`);
      const problem = this.fetch.problemOf(address);
      if (problem !== null) throw new ProviderProblem(`its ${name} ${problem}`);
    }
  }
}

/**
 * What is kept of what a provider says of itself: the rest, which may be anything, would take memory for as long.
 * @throws ProviderProblem
 */
function keptOf(metadata: Readonly<OpenId.ServerMetadata>): OpenId.ServerMetadata {
  const kept = Object.entries(metadata).filter(([name]) => KEPT.includes(name));
  const { issuer } = metadata;
  if (jsonBytes(kept) > MAX_KEPT_BYTES) throw new ProviderProblem('its answer is too large');
  return { ...Object.fromEntries(kept), issuer };
}

/** How the service authenticates itself: in the form where the provider says that it takes that, else in a header. */
function authenticationOf(
  library: typeof OpenId,
  { token_endpoint_auth_methods_supported: methods }: OpenId.ServerMetadata,
  secret: string | null,
): OpenId.ClientAuth {
  if (secret === null) return library.None();
  return methods?.includes('client_secret_post') === true
    ? library.ClientSecretPost(secret)
    : library.ClientSecretBasic(secret);
}
