import { Injectable } from '@nestjs/common';
import { appError, Clock, isRecord } from '../../../kernel/common';
import type { IdentityProvider } from '../record/identity-provider.entity';
import { nameIn } from './claims';
import { ProviderClients } from './provider-clients';
import { SpentTokens } from './spent-tokens';

/** The event that makes a token one that signs out (OpenID Connect Back-Channel Logout 1.0). */
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** Signatures by keys that only the provider has. */
export const SIGNATURE_ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** Older tokens end nothing. */
const MAX_AGE_SECONDS = 600;
const CLOCK_TOLERANCE_SECONDS = 30;
const MAX_TOKEN = 16_384;

/** 400: the token is none that signs out, or was used. */
export const LogoutTokenInvalidError = appError(
  400,
  'logout_token_invalid',
  'This is no logout token of the provider for this service, or it was used or has expired.',
);

/** Who signed out at a provider: one session, or all of a person. */
export interface SignedOut {
  readonly subject: string | null;
  readonly sid: string | null;
  readonly issuedAt: Date;
}

interface LogoutToken extends SignedOut {
  readonly id: string;
  /** When it would be refused anyway. */
  readonly until: Date;
}

/** Tokens with which providers say that somebody signed out. Each counts once. */
@Injectable()
export class LogoutTokens {
  constructor(
    private readonly clients: ProviderClients,
    private readonly spent: SpentTokens,
    private readonly clock: Clock,
  ) {}

  /**
   * Has done what a token says. It is used up afterwards: where that fails, the provider may send it again.
   * @throws LogoutTokenInvalidError, ProviderProblem
   */
  async follow(
    provider: IdentityProvider,
    token: string,
    signOut: (who: SignedOut) => Promise<void>,
  ): Promise<void> {
    const { id, until, ...who } = await this.read(provider, token);
    const name = `logout ${provider.id} ${id}`;
    if (await this.spent.isUsed(name)) throw new LogoutTokenInvalidError();
    await signOut(who);
    await this.spent.use(name, until);
  }

  private async read(provider: IdentityProvider, token: string): Promise<LogoutToken> {
    if (token === '' || token.length > MAX_TOKEN) throw new LogoutTokenInvalidError();
    const { jwtVerify, errors } = await import('jose');
    const { keys } = await this.clients.of(provider);
    const { payload } = await jwtVerify(token, keys, {
      issuer: provider.issuer,
      audience: provider.clientId,
      algorithms: SIGNATURE_ALGORITHMS,
      maxTokenAge: MAX_AGE_SECONDS,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: this.clock.now(),
      requiredClaims: ['jti', 'events'],
    }).catch((cause: unknown) => {
      // What has no code could not be asked for.
      throw cause instanceof errors.JOSEError ? new LogoutTokenInvalidError({ cause }) : cause;
    });
    const { sub, sid, jti, iat, events, nonce } = payload;
    const [subject, session] = [nameIn(sub), nameIn(sid)];
    const isLogout = isRecord(events) && isRecord(events[LOGOUT_EVENT]) && nonce === undefined;
    if (!isLogout || iat === undefined || jti === undefined || (subject === null && session === null))
      throw new LogoutTokenInvalidError();
    const until = new Date((iat + MAX_AGE_SECONDS + CLOCK_TOLERANCE_SECONDS) * 1_000);
    return { id: jti, until, subject, sid: session, issuedAt: new Date(iat * 1_000) };
  }
}
