import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { RECENT_SIGN_IN_SECONDS } from '../../../kernel/auth';
import type { ProvidedPerson } from '../people/provisioned-people';
import type { IdentityProvider } from '../record/identity-provider.entity';
import { type Claims, groupsOf, nameIn, personOf, timeOf } from './claims';
import { problemOfError, RefusedByProviderError } from './protocol-problems';
import { type ProviderClient, ProviderClients } from './provider-clients';

/** What the browser that began a sign-in keeps, and nobody else knows. */
export const begunSchema = z.object({ state: z.string(), nonce: z.string(), verifier: z.string() });

/** See {@link begunSchema}. */
export type Begun = z.infer<typeof begunSchema>;

/** How a sign-in at a provider is begun. */
interface Beginning {
  /** Where the provider sends the browser back to. */
  readonly redirectUri: string;
  /** Whether the person has to prove who they are, also where they have a session at the provider. */
  readonly again: boolean;
}

/** Whoever is asked for this has to say when somebody proved who they are; nobody's session at a provider lasts longer. */
const ANY_AGE_SECONDS = 31_536_000;

/** Whom a provider has signed in. */
export interface SignedIn {
  readonly person: ProvidedPerson;
  /** By the clock of the provider. */
  readonly issuedAt: Date;
  /** When they proved who they are, by the clock of the provider, which may be long ago; null where it does not say. */
  readonly authenticatedAt: Date | null;
  /** What the provider calls its session; null where it says nothing. */
  readonly sid: string | null;
}

/**
 * The code flow of OpenID Connect, with PKCE, state and nonce; whose answer it is (`iss`, RFC 9207) is checked where the provider says
 * so, and by an address of its own that each provider sends back to.
 */
@Injectable()
export class CodeFlow {
  constructor(private readonly clients: ProviderClients) {}

  /** @returns where the browser goes, and what it keeps meanwhile. @throws ProviderProblem */
  async begin(
    provider: IdentityProvider,
    { redirectUri, again }: Beginning,
  ): Promise<{ readonly address: string; readonly begun: Begun }> {
    const { library, configuration } = await this.clients.of(provider);
    const begun = {
      state: library.randomState(),
      nonce: library.randomNonce(),
      verifier: library.randomPKCECodeVerifier(),
    };
    const address = library.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: provider.scope,
      state: begun.state,
      nonce: begun.nonce,
      code_challenge: await library.calculatePKCECodeChallenge(begun.verifier),
      code_challenge_method: 'S256',
      max_age: String(again ? RECENT_SIGN_IN_SECONDS : ANY_AGE_SECONDS),
      ...(again && { prompt: 'login' }),
    });
    return { address: address.href, begun };
  }

  /**
   * @param answer the address that the provider sent the browser back to, with what it says
   * @throws RefusedByProviderError where the provider let nobody in; ProviderProblem where what it says does not hold
   */
  async finish(provider: IdentityProvider, answer: URL, begun: Begun): Promise<SignedIn> {
    const client = await this.clients.of(provider);
    const { library, configuration } = client;
    try {
      const tokens = await library.authorizationCodeGrant(configuration, answer, {
        expectedState: begun.state,
        expectedNonce: begun.nonce,
        pkceCodeVerifier: begun.verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined) throw new TypeError('There is no ID token.');
      if (nameIn(claims.sub) === null) throw new TypeError('The subject is none that can be kept.');
      const all = await this.allClaims(client, provider, claims, tokens.access_token);
      const { sub, sid, iat, auth_time: authTime } = claims;
      const issuedAt = timeOf(iat);
      if (issuedAt === null) throw new TypeError('The ID token was issued at no time.');
      return {
        person: personOf(provider, sub, all),
        issuedAt,
        authenticatedAt: timeOf(authTime),
        sid: nameIn(sid),
      };
    } catch (error) {
      if (error instanceof library.AuthorizationResponseError) throw new RefusedByProviderError(error.error);
      throw problemOfError(error);
    }
  }

  /** Many providers say some of it only when they are asked with the access token. */
  private async allClaims(
    { library, configuration }: ProviderClient,
    provider: IdentityProvider,
    claims: Claims & { readonly sub: string },
    accessToken: string,
  ): Promise<Claims> {
    const lacksGroups = provider.groupRoles.length > 0 && groupsOf(claims, provider.groupClaim).length === 0;
    const isComplete = typeof claims['email'] === 'string' && !lacksGroups;
    if (isComplete || configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
    return { ...(await library.fetchUserInfo(configuration, accessToken, claims.sub)), ...claims };
  }
}
