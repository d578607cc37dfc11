import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { CALLBACK_PATH, CodeFlow, type KnownProvider, pathFor, SpentTokens } from '../../identity-providers';
import { isRecentSignIn } from '../../../kernel/auth';
import { appError, Clock } from '../../../kernel/common';
import { publicUrl, SETTINGS, type Settings } from '../../../kernel/config';
import { ProviderSessions } from './provider-sessions';
import { SignInCookie } from './sign-in-cookie';

/** 403: the browser did not begin the sign-in that a provider answers, or too long ago, or it is over. */
export const NotBegunHereError = appError(
  403,
  'sign_in_not_begun_here',
  'This sign-in was not begun in this browser, took longer than ten minutes, or is over already.',
);

/** 403: the person had to prove who they are, and the provider does not say that they have. */
export const NotProvedAnewError = appError(
  403,
  'not_proved_anew',
  'You have to prove who you are for this, and your provider does not say that you did so in the last hour. Sign in another way, for example with a key.',
);

/** Signs browsers in with providers of identities (docs/sign-in-providers.md#signing-in). */
@Injectable()
export class ProviderSignIn {
  constructor(
    private readonly flow: CodeFlow,
    private readonly spent: SpentTokens,
    private readonly cookie: SignInCookie,
    private readonly sessions: ProviderSessions,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Begins a sign-in.
   * @param returnTo a path of this service
   * @param again whether the person has to prove who they are anew
   * @returns where the browser goes, and the cookie that it keeps meanwhile
   * @throws ProviderProblem
   */
  async begin(
    provider: KnownProvider,
    returnTo: string,
    again: boolean,
  ): Promise<{ readonly address: string; readonly cookie: string }> {
    const redirectUri = this.callbackOf(provider).href;
    const { address, begun } = await this.flow.begin(provider, { redirectUri, again });
    const until = this.cookie.end().getTime();
    return {
      address,
      cookie: this.cookie.keep({ ...begun, providerId: provider.id, returnTo, again, until }),
    };
  }

  /**
   * Ends a sign-in with what a provider sent the browser back with; what the browser keeps counts once.
   * @param query of the address that it was sent back to
   * @returns where it goes on, and the cookies of its session
   * @throws NotBegunHereError, NotProvedAnewError, RefusedByProviderError, ProviderProblem, and what {@link ProviderSessions.start} throws
   */
  async finish(
    request: IncomingMessage,
    provider: KnownProvider,
    query: string,
  ): Promise<{ readonly returnTo: string; readonly cookies: string[] }> {
    const attempt = this.cookie.read(request);
    const answer = this.callbackOf(provider);
    answer.search = query;
    if (attempt?.providerId !== provider.id || answer.searchParams.get('state') !== attempt.state)
      throw new NotBegunHereError();
    if (!(await this.spent.use(`sign-in ${attempt.state}`, new Date(attempt.until))))
      throw new NotBegunHereError();
    const signedIn = await this.flow.finish(provider, answer, attempt);
    const { authenticatedAt } = signedIn;
    // Browsers can leave out what the provider was to be asked for.
    if (attempt.again && (authenticatedAt === null || !isRecentSignIn(authenticatedAt, this.clock.now())))
      throw new NotProvedAnewError();
    const session = await this.sessions.start(request, provider, signedIn);
    return { returnTo: attempt.returnTo, cookies: [session, this.cookie.drop()] };
  }

  private callbackOf(provider: KnownProvider): URL {
    return new URL(publicUrl(this.settings) + pathFor(CALLBACK_PATH, provider));
  }
}
