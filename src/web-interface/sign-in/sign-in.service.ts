import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { BrowserSessions } from '../../api-keys';
import { Authentication, endedSessionCookie, sessionCookie, sessionToken } from '../../auth';
import { SETTINGS, type Settings } from '../../config';
import { FailedCredentials } from '../../http';

/** Signs browsers in and out (docs/web-interface.md#signing-in). */
@Injectable()
export class SignIn {
  constructor(
    private readonly authentication: Authentication,
    private readonly failed: FailedCredentials,
    private readonly sessions: BrowserSessions,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** The e-mail address of the browser's signed-in user, or null. */
  async emailOf(request: IncomingMessage): Promise<string | null> {
    return (await this.authentication.visitor(request))?.email ?? null;
  }

  /**
   * Starts a session for the browser that sent a key, and ends its previous one.
   * @returns the cookie
   * @throws UnauthenticatedError, TooManyFailedCredentialsError
   */
  async signIn(request: IncomingMessage, key: string): Promise<string> {
    const user = await this.failed.watch(request, `sign-in ${key}`, () =>
      this.authentication.user({ 'x-access-token': key }),
    );
    await this.endSession(request);
    return sessionCookie(await this.sessions.start(user, request.headers['user-agent']), this.settings);
  }

  /**
   * Ends the session of a request's browser.
   * @returns a cookie header that deletes the session's
   */
  async signOut(request: IncomingMessage): Promise<string> {
    await this.endSession(request);
    return endedSessionCookie(this.settings);
  }

  private async endSession(request: IncomingMessage): Promise<void> {
    const token = sessionToken(request, this.settings);
    if (token !== null) await this.sessions.end(token);
  }
}
