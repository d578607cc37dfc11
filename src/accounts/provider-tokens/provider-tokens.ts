import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import {
  CredentialVerifierUnavailableError,
  type RequestHeaders,
  SandboxCredentialVerifier,
} from '../../kernel/auth';
import { Clock, digestOf, parseUuid, settledWithin } from '../../kernel/common';
import { ExternalKeys, type RecognizedToken, type TokenRecognizer } from '../api-keys';
import { type KnownProvider, IdentityProviders, IdentityTimes } from '../identity-providers';
import { verifyAccessToken } from './jwt/access-token';
import { loadJose } from './jwt/jose';
import { KeysUnavailableError } from './jwt/key-set';
import { isLikeJwt, readUnverified, type UnverifiedToken } from './jwt/unverified-token';
import { ProviderQuestions } from './provider-questions';
import { InactiveToken, type TokenClaims, TokenRefusal } from './token-claims';
import { TokenPeople } from './token-people';

/** As verifiers of extensions: requests wait for it before anything else. */
const ANSWERS_WITHIN_MS = 5_000;
/** More do not fit into the headers of a request. */
const MAX_CHARACTERS = 16_384;
const LOG_EVERY_MS = 60_000;
const MAX_LOGGED = 1_000;
/** What keys of the service begin with: a mistyped one is given to no provider. */
const OF_OWN_KEYS = /^ocs_/;

/** Access tokens of identity providers as credentials (docs/provider-tokens.md). Nothing of a token is stored or logged. */
@Injectable()
export class ProviderTokens implements TokenRecognizer, OnModuleInit {
  private readonly logger = new Logger(ProviderTokens.name);
  private readonly pending = new Map<string, Promise<RecognizedToken | null>>();
  private readonly logged = new Map<string, number>();

  constructor(
    private readonly external: ExternalKeys,
    private readonly providers: IdentityProviders,
    private readonly times: IdentityTimes,
    private readonly people: TokenPeople,
    private readonly questions: ProviderQuestions,
    private readonly sandboxKeys: SandboxCredentialVerifier,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.external.recognizeTokens(this);
  }

  /** The organization that a request names: an opaque token is given to no other's provider. */
  decisive(headers: RequestHeaders): string {
    const named = headers['x-org-id'];
    return (typeof named === 'string' ? parseUuid(named.trim()) : null) ?? '';
  }

  async recognize(credential: string, headers: RequestHeaders): Promise<RecognizedToken | null> {
    if (credential === '' || credential.length > MAX_CHARACTERS || OF_OWN_KEYS.test(credential)) return null;
    const orgId = this.decisive(headers) || null;
    const key = digestOf(`${orgId} ${credential}`);
    const recognized = this.pending.get(key) ?? this.begin(key, () => this.ofToken(credential, orgId));
    if (!(await settledWithin(recognized, ANSWERS_WITHIN_MS))) throw new CredentialVerifierUnavailableError();
    return recognized;
  }

  /** However many requests bring a new token at once, it is looked at once. */
  private begin(key: string, look: () => Promise<RecognizedToken | null>): Promise<RecognizedToken | null> {
    const recognized = look().finally(() => this.pending.delete(key));
    this.pending.set(key, recognized);
    return recognized;
  }

  private async ofToken(credential: string, orgId: string | null): Promise<RecognizedToken | null> {
    if (!isLikeJwt(credential)) return this.ofOpaque(credential, orgId);
    const unverified = readUnverified(await loadJose(), credential);
    if (unverified === 'opaque') return this.ofOpaque(credential, orgId);
    return unverified === null ? null : this.ofJwt(credential, unverified, orgId);
  }

  private async ofJwt(
    token: string,
    unverified: UnverifiedToken,
    orgId: string | null,
  ): Promise<RecognizedToken | null> {
    const provider = await this.providerOf(unverified, orgId);
    if (provider === null || provider.audience === null) return null;
    const { issuer, audience } = provider;
    const expected = { issuer, audience, now: this.clock.now() };
    const jose = await loadJose();
    try {
      const claims = await verifyAccessToken(jose, token, this.questions.keysOf(jose, provider), expected);
      return await this.recognized(provider, claims);
    } catch (cause) {
      throw cause instanceof KeysUnavailableError ? new CredentialVerifierUnavailableError({ cause }) : cause;
    }
  }

  /**
   * The provider that a JWT says it is of, and for. Of several with the same issuer and audience that of the organization that the
   * request names counts, else the installation's, else the only one that knows the subject: no organization gets at what is sent for
   * another one by entering its provider, too. Nor does it shut out an extension's JWTs by entering their issuer: beside verifiers of
   * extensions even a single provider has to be named or to know the subject.
   */
  private async providerOf(
    { issuer, audiences, subject }: UnverifiedToken,
    orgId: string | null,
  ): Promise<KnownProvider | null> {
    const meant = (await this.providers.ofIssuer(issuer)).filter(
      ({ audience }) => audience !== null && audiences.includes(audience),
    );
    const [first] = meant;
    if (first === undefined || (meant.length === 1 && !this.external.hasVerifiers)) return first ?? null;
    const preferred =
      meant.find((provider) => provider.orgId !== null && provider.orgId === orgId) ??
      meant.find((provider) => provider.orgId === null);
    if (preferred !== undefined) return preferred;
    const ids = meant.map(({ id }) => id);
    const [only, ...others] = await this.times.providersKnowing(ids, subject);
    return others.length > 0 ? null : (meant.find(({ id }) => id === only) ?? null);
  }

  /**
   * Asks the installation's provider first: one of an organization must not see its tokens, which count in others, too, and
   * is asked only about what the installation's does not know. Extensions' verifiers come later.
   */
  private async ofOpaque(token: string, orgId: string | null): Promise<RecognizedToken | null> {
    const asked = await this.introspecting(orgId);
    if (asked.length === 0 || (await this.sandboxKeys.verify(token)) !== null) return null;
    for (const provider of asked) {
      const claims = await this.questions.claimsOf(provider, token);
      const recognized = await this.recognized(provider, claims);
      if (!(claims instanceof InactiveToken)) return recognized;
    }
    return null;
  }

  /** Beside verifiers of extensions no organization's: what is sent may be an extension's credential, which its owner would collect. */
  private async introspecting(orgId: string | null): Promise<readonly KnownProvider[]> {
    const installation = await this.providers.installation();
    const ofOrganization =
      orgId === null || this.external.hasVerifiers ? [] : await this.providers.ofOrganization(orgId);
    const isAsked = ({ audience, introspection }: KnownProvider): boolean =>
      introspection && audience !== null;
    const [first] = ofOrganization.filter(isAsked);
    return [installation ?? [], first ?? []].flat().filter(isAsked);
  }

  private async recognized(
    provider: KnownProvider,
    claims: TokenClaims | TokenRefusal,
  ): Promise<RecognizedToken | null> {
    if (claims instanceof TokenRefusal) return this.refused(provider, claims);
    const user = await this.people.userOf(provider, claims);
    if (user instanceof TokenRefusal) return this.refused(provider, user);
    const { id, name, orgId } = provider;
    return { ...user, orgId, provider: { id, name }, expiresAt: claims.expiresAt };
  }

  /** Says why in the log, for who sets a provider up: once a minute, as anybody can send tokens that do not work. */
  private refused({ id }: KnownProvider, { reason }: TokenRefusal): null {
    const now = this.clock.monotonicMs();
    if (now - (this.logged.get(id) ?? -Infinity) < LOG_EVERY_MS) return null;
    if (this.logged.size >= MAX_LOGGED) this.logged.clear();
    this.logged.set(id, now);
    this.logger.log({ provider: id, reason }, 'A token of an identity provider was refused');
    return null;
  }
}
