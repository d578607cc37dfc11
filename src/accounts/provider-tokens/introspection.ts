import { CredentialVerifierUnavailableError } from '../../kernel/auth';
import { type Clock, digestOf, jsonBytes, KeyedSemaphore, TtlCache } from '../../kernel/common';
import { type KnownProvider, timeOf } from '../identity-providers';
import {
  audiencesOf,
  CLOCK_TOLERANCE_SECONDS,
  claimsOf,
  InactiveToken,
  type TokenClaims,
  TokenRefusal,
} from './token-claims';

/** With {@link LATELY_MS}, an answer that counts is at most ten seconds old. */
const ACTIVE_MS = 7_000;
const LATELY_MS = 3_000;
const MAX_ANSWERS = 10_000;
/** A thousand groups have less. What is parsed of an answer takes many times its bytes, and is remembered. */
const MAX_ANSWER_BYTES = 65_536;
/** Questions to one provider at once. */
const MAX_AT_ONCE = 50;

const OF_ACCESS_TOKENS = /^(?:bearer|access_token)$/i;
const OF_OTHER_TOKENS = /^(?:id|refresh|offline)/i;

type Answer = Readonly<Record<string, unknown>>;

/** Asks a provider about a token. @throws where it does not answer, or what is no answer */
type Ask = (provider: KnownProvider, token: string) => Promise<Answer>;

/**
 * What providers say of opaque tokens (RFC 7662; docs/provider-tokens.md#opaque-tokens). Answers are remembered for seconds, by the
 * digests of tokens; one question serves all who wait.
 */
export class Introspection {
  private readonly active: TtlCache<TokenClaims | TokenRefusal>;
  private readonly lately: TtlCache<TokenClaims | TokenRefusal>;
  private readonly questions = new KeyedSemaphore<'provider'>({ provider: MAX_AT_ONCE });

  constructor(
    private readonly clock: Clock,
    private readonly ask: Ask,
  ) {
    this.active = new TtlCache(clock, ACTIVE_MS, MAX_ANSWERS);
    this.lately = new TtlCache(clock, LATELY_MS, MAX_ANSWERS);
  }

  /**
   * What a provider says of a token.
   * @returns its claims, or why it does not count
   * @throws CredentialVerifierUnavailableError
   */
  claimsOf(provider: KnownProvider, token: string): Promise<TokenClaims | TokenRefusal> {
    // What was said to a client, and for an audience, that the provider has no more, does not count.
    const key = digestOf(`${provider.id} ${provider.updatedAt.getTime()} ${token}`);
    return this.lately.get(key, async () => {
      const claims = await this.active.get(key, () => this.asked(provider, token));
      if (claims instanceof TokenRefusal) this.active.delete(key);
      return claims;
    });
  }

  private async asked(provider: KnownProvider, token: string): Promise<TokenClaims | TokenRefusal> {
    try {
      const keys = { provider: provider.id };
      const answer = await this.questions.during(keys, () => this.ask(provider, token));
      if (jsonBytes(answer) > MAX_ANSWER_BYTES) throw new Error('The answer of the provider is too large.');
      return activeClaims(answer, provider, this.clock.now());
    } catch (cause) {
      throw new CredentialVerifierUnavailableError({ cause });
    }
  }
}

/** Reads what a provider answers. */
function activeClaims(answer: Answer, provider: KnownProvider, now: Date): TokenClaims | TokenRefusal {
  const { active, iss } = answer;
  if (active !== true) return new InactiveToken();
  if (iss !== undefined && iss !== provider.issuer) return new TokenRefusal('it is of another issuer');
  if (!isForUs(answer, provider)) return new TokenRefusal('it is for another audience');
  if (!isBearerToken(answer)) return new TokenRefusal('it is no bearer token');
  if (!isCurrent(answer, now)) return new TokenRefusal('it does not count now');
  // Of a token that is a client's own, many providers name the client alone.
  return claimsOf(answer, now, answer['sub'] ?? answer['client_id']);
}

/** Without an audience a token may be meant for anybody: then it has to be one of the client that asks. */
function isForUs({ aud, client_id }: Answer, { audience, clientId }: KnownProvider): boolean {
  return aud === undefined
    ? client_id === clientId
    : audience !== null && audiencesOf(aud).includes(audience);
}

function isBearerToken({ token_type: type, typ, token_use }: Answer): boolean {
  const isOther = [typ, token_use].some((kind) => typeof kind === 'string' && OF_OTHER_TOKENS.test(kind));
  return typeof type === 'string' && OF_ACCESS_TOKENS.test(type) && !isOther;
}

function isCurrent({ exp, nbf }: Answer, now: Date): boolean {
  const soon = new Date(now.getTime() + CLOCK_TOLERANCE_SECONDS * 1_000);
  const [end, beginning] = [timeOf(exp), timeOf(nbf)];
  return (
    (exp === undefined || (end !== null && end > now)) &&
    (nbf === undefined || (beginning !== null && beginning <= soon))
  );
}
