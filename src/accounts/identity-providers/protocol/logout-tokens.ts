import { Injectable } from '@nestjs/common';
import { appError, Clock, isRecord } from '../../../kernel/common';
import type { IdentityProvider } from '../record/identity-provider.entity';
import { isStorable } from './claims';
import { ProviderClients } from './provider-clients';
import { SpentTokens } from './spent-tokens';

/** The event that makes a token one that signs out (OpenID Connect Back-Channel Logout 1.0). */
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** Signatures by keys that only the provider has. */
export const SIGNATURE_ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
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

/** Reads the tokens with which providers say that somebody signed out. Each counts once. */
@Injectable()
export class LogoutTokens {
  constructor(
    private readonly clients: ProviderClients,
    private readonly spent: SpentTokens,
    private readonly clock: Clock,
  ) {}

  /** @throws LogoutTokenInvalidError, ProviderProblem */
  async read(provider: IdentityProvider, token: string): Promise<SignedOut> {
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
    const subject = typeof sub === 'string' && isStorable(sub) ? sub : null;
    const session = typeof sid === 'string' && isStorable(sid) ? sid : null;
    const isLogout = isRecord(events) && isRecord(events[LOGOUT_EVENT]) && nonce === undefined;
    if (!isLogout || iat === undefined || (subject === null && session === null))
      throw new LogoutTokenInvalidError();
    const until = new Date((iat + MAX_AGE_SECONDS + CLOCK_TOLERANCE_SECONDS) * 1_000);
    if (!(await this.spent.use(`logout ${provider.id} ${jti}`, until))) throw new LogoutTokenInvalidError();
    return { subject, sid: session, issuedAt: new Date(iat * 1_000) };
  }
}
